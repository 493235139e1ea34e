import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';

/** How granted tokens are renewed: a row for each credential whose provider granted a refresh token. */
export class CredentialRenewals1763700187000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table credential_renewals (
        credential_id text primary key references credentials on delete cascade,
        organization_id text not null references organizations on delete cascade,
        provider text not null,
        client_credential_id text not null,
        -- The origin that issued the refresh token; it goes to no other.
        token_origin text not null,
        sealed text not null,
        -- Counts the renewals, so that a late answer does not replace a later token.
        generation integer not null default 0,
        issued_at timestamptz not null,
        due_at timestamptz,
        expires_at timestamptz,
        claimed_until timestamptz,
        -- Why the provider renews no more: somebody has to authorize anew.
        refused text
      );
      create index on credential_renewals (organization_id);
    `);
    await protectTenantTables(runner, ['credential_renewals']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table credential_renewals');
  }
}
