import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables, tenantColumns } from '../tenant-tables.js';

/** Webhooks at providers, the messages that came, and the addresses of `webhook_config` that they are sent to. */
export class ProviderWebhooks1763700166000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tokens add column hook_only boolean not null default false;
      create table integration_webhooks (${tenantColumns},
        account_id text not null references accounts on delete cascade,
        integration_id text not null references integrations on delete cascade,
        project text not null,
        -- The id at the provider; null where it is made by hand.
        provider_id text,
        token_id text not null,
        -- Both encrypted: the token in the address, and the secret that signs.
        token text not null,
        secret text not null,
        events text[] not null,
        creator text not null,
        unique (integration_id, name),
        unique (integration_id, project)
      );
      create table webhook_receivers (${tenantColumns},
        account_id text not null references accounts on delete cascade,
        integration_id text not null references integrations on delete cascade,
        url text not null,
        state text not null default 'active',
        state_since timestamptz,
        state_reason text,
        failing_since timestamptz,
        failures integer not null default 0,
        resting_until timestamptz,
        busy_until timestamptz,
        unique (integration_id, name),
        unique (integration_id, url)
      );
      -- Messages that were taken in, so that one which comes again is delivered once.
      create table hook_messages (
        integration_id text not null references integrations on delete cascade,
        message text not null,
        organization_id text not null references organizations on delete cascade,
        received_at timestamptz not null,
        primary key (integration_id, message)
      );
      create index on hook_messages (integration_id, received_at);
    `);
    await protectTenantTables(runner, [
      'integration_webhooks',
      'webhook_receivers',
      'hook_messages',
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table hook_messages, webhook_receivers, integration_webhooks;
      alter table tokens drop column hook_only;
    `);
  }
}
