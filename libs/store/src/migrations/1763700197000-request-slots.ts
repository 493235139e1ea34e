import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests of a budget by parts of its period. The columns before it are those of older versions. */
export class RequestSlots1763700197000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table provider_rates add slots jsonb not null default '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table provider_rates drop slots');
  }
}
