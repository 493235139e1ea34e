import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens know when the token that made them ends, so that no reset prolongs them past it. */
export class TokenLifetimes1763700120000 implements MigrationInterface {
  name = 'TokenLifetimes1763700120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tokens add ends_by timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tokens drop ends_by');
  }
}
