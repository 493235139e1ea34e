import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the credentials of an organization, whoever owns them, by the time that they expire at. */
export class CredentialExpiry1763700191000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create index credentials_expires on credentials (organization_id, expires)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index credentials_expires');
  }
}
