import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The id of the request that a run was made by, which its calls have in the logs. Runs of schedules and of older versions have none. */
export class RunRequestId1763700199000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table operation_runs add request_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table operation_runs drop request_id');
  }
}
