import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the part of a configuration that a provider tells with a grant, such as the id of the tenant. */
export class ToldConfiguration1763700189000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table connect_authorizations add column told jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table connect_authorizations drop column told');
  }
}
