import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs of jobs give their place to others after each page; they wait since then, or for the end of a pause. */
export class RunTurns1763700195000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table operation_runs add column waiting_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table operation_runs drop column waiting_since');
  }
}
