import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';

/** Which credentials people granted at a provider, and what is still to be given back there. */
export class CredentialGrants1763700188000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table credential_grants (
        credential_id text primary key references credentials on delete cascade,
        organization_id text not null references organizations on delete cascade,
        provider text not null,
        client_credential_id text not null,
        -- The origin that issued the token; it is given back to no other vendor.
        token_origin text not null,
        -- SHA-256 of the token that was granted: some providers grant the same one again, which then stays. Null for older grants.
        token_hash text
      );
      create index on credential_grants (organization_id);
      -- Grants of the version before are known where the provider granted a refresh token.
      insert into credential_grants (credential_id, organization_id, provider, client_credential_id, token_origin)
        select credential_id, organization_id, provider, client_credential_id, token_origin from credential_renewals;
      create table grant_revocations (
        id text primary key,
        organization_id text not null references organizations on delete cascade,
        -- Names the deleted credential; its tokens, and the secret of the application, are encrypted.
        revocation jsonb not null,
        created_at timestamptz not null
      );
      create index on grant_revocations (organization_id);
    `);
    await protectTenantTables(runner, ['credential_grants', 'grant_revocations']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table grant_revocations, credential_grants');
  }
}
