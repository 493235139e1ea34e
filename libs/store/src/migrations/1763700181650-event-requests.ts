import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addUsage, firstCounters } from './usage-functions.js';

/** Changes of the state of an integration name the request that showed it. */
export class EventRequests1763700181650 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table integration_events add request_id text');
    await runner.query(addUsage(firstCounters, 'request_id'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(addUsage(firstCounters));
    await runner.query('alter table integration_events drop request_id');
  }
}
