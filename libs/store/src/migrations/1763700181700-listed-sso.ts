import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identity providers whose name a logon page may show to everybody. */
export class ListedSso1763700181700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sso_configurations add listed boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sso_configurations drop listed');
  }
}
