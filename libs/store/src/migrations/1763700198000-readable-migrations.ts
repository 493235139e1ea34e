import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets services read which migrations ran, so that one on older tables is not ready. */
export class ReadableMigrations1763700198000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('grant select on migrations to onefold_application');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('revoke select on migrations from onefold_application');
  }
}
