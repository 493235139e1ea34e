import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns by which a repeated create settles the first one: the marker that the provider may keep with the record, until when a call holds the
 * key, and how many calls have held it. Keys of older versions have no marker, and are held for five minutes.
 */
export class UnsettledCreates1763700204000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table idempotency_keys add marker text, add held_until timestamptz,
         add attempts integer not null default 1`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table idempotency_keys drop marker, drop held_until, drop attempts');
  }
}
