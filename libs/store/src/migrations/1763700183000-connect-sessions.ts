import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens of Connect sessions, with what they are limited to. */
export class ConnectSessions1763700183000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tokens add column connect_session jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tokens drop column connect_session');
  }
}
