import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Schedules whose runs are started by events of the provider. */
export class EventSchedules1763700175000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The event that starts its runs; null for one that runs by the clock.
      alter table operation_schedules add column event text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table operation_schedules drop column event');
  }
}
