import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Integrations may demand the token of a dry run for dangerous operations. */
export class ConfirmDangerousActions1763700200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table integrations add confirm_dangerous_actions boolean not null default false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table integrations drop confirm_dangerous_actions');
  }
}
