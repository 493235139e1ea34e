import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';

/** Webhooks of deleted integrations that are still to be deleted at their providers. */
export class WebhookRemovals1763700176000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table webhook_removals (
        -- The id that the webhook had.
        id text primary key,
        organization_id text not null references organizations on delete cascade,
        -- The integration as connectors get it; its credentials, and the secrets of the webhook, are encrypted.
        integration jsonb not null,
        webhook jsonb not null,
        created_at timestamptz not null
      );
      create index on webhook_removals (organization_id);
    `);
    await protectTenantTables(runner, ['webhook_removals']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table webhook_removals');
  }
}
