import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers' provider documents, and what replicas of connectors share: access tokens, rates and running calls. */
export class ProviderRuntime1763700100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table customs (
        id text primary key,
        organization_id text not null references organizations on delete cascade,
        name text collate "C" not null,
        fullname text not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        provider text not null,
        data text not null,
        unique (organization_id, name),
        unique (organization_id, provider)
      );
      create table provider_tokens (
        organization_id text not null references organizations on delete cascade,
        key text not null,
        sealed text,
        expires_at timestamptz,
        claimed_until timestamptz,
        primary key (organization_id, key)
      );
      create table provider_rates (
        organization_id text not null references organizations on delete cascade,
        key text not null,
        period_start timestamptz not null,
        used integer not null,
        primary key (organization_id, key)
      );
      create table provider_leases (
        organization_id text not null references organizations on delete cascade,
        key text not null,
        holder uuid not null,
        until timestamptz not null,
        primary key (organization_id, key, holder)
      );
    `);
    for (const table of ['customs', 'provider_tokens', 'provider_rates', 'provider_leases'])
      await runner.query(`
        alter table ${table} enable row level security;
        create policy tenant on ${table} to onefold_application
          using (organization_id = current_setting('onefold.organization_id', true))
          with check (organization_id = current_setting('onefold.organization_id', true));
        grant select, insert, update, delete on ${table} to onefold_application;
      `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table provider_leases, provider_rates, provider_tokens, customs');
  }
}
