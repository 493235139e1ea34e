import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests of jobs among those that are counted for the limits of a provider. */
export class JobPace1763700173000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table provider_rates add used_by_jobs integer not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table provider_rates drop used_by_jobs');
  }
}
