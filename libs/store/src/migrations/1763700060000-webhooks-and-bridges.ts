import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables, tenantColumns } from '../tenant-tables.js';

/** Organization webhooks, and bridge groups with the key that checks their agents' credential. */
export class WebhooksAndBridges1763700060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table organization_webhooks (${tenantColumns},
        environment text not null,
        filters text[] not null,
        url text not null,
        credential_id text not null,
        unique (organization_id, name)
      );
      create table bridges (${tenantColumns},
        account_id text not null references accounts on delete cascade,
        description text,
        labels text[],
        public_key jsonb not null,
        unique (account_id, name)
      );
    `);
    await protectTenantTables(runner, ['organization_webhooks', 'bridges']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table organization_webhooks, bridges');
  }
}
