import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables, tenantColumns } from '../tenant-tables.js';

/** Tables of tenants, tokens, credentials and integrations, behind row-level security for the role of the services. */
export class Foundation1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Roles belong to the whole server: other databases on it may have made this one, at this moment too. Where an administrator
      -- has made it, an owner who may not create roles suffices.
      do $$ begin
        if not exists (select from pg_roles where rolname = 'onefold_application') then
          create role onefold_application nologin;
        end if;
      exception when duplicate_object or unique_violation then null;
      end $$;
      do $$ begin
        execute format('grant onefold_application to %I', current_user);
      exception when others then null; -- a superuser needs no grant, and two grants at one moment collide
      end $$;
      grant usage on schema public to onefold_application;

      create table organizations (
        id text primary key,
        name text not null unique,
        fullname text not null,
        organization_type text not null,
        refresh_token_id text not null,
        contact text, reply_to text, picture text,
        options jsonb,
        state text, end_date date,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create table members (${tenantColumns},
        type text not null,
        state text not null,
        role_binding text[] not null,
        unique (organization_id, name)
      );
      create table accounts (${tenantColumns},
        environment text not null,
        labels text[] not null,
        unique (organization_id, name)
      );
      create table integration_points (${tenantColumns},
        description text,
        connector text not null,
        environments jsonb not null,
        mappings jsonb, additional_mappings jsonb, scheduled_operations jsonb,
        unique (organization_id, name)
      );
      create table integrations (${tenantColumns},
        account_id text not null references accounts on delete cascade,
        category text not null,
        provider_type text not null,
        provider_fullname text not null,
        provider_config jsonb not null,
        integration_point_id text references integration_points,
        refresh_token_id text not null,
        bridge_selector jsonb, webhook_config jsonb,
        mappings jsonb, additional_mappings jsonb, scheduled_operations jsonb,
        unique (account_id, name)
      );
      create index on integrations (organization_id, name);
      create index on integrations (integration_point_id);
      create table credentials (${tenantColumns},
        owner_type text not null,
        owner_id text not null,
        account_id text references accounts on delete cascade,
        config_type text not null,
        sealed text not null,
        expires timestamptz,
        managed boolean not null,
        unique (owner_id, name)
      );
      create index on credentials (account_id);
      create table mappings (${tenantColumns},
        data text not null,
        version integer not null,
        unique (organization_id, name)
      );
      create table tokens (${tenantColumns},
        owner_id text not null,
        owner_type text not null,
        member_id text,
        account_id text,
        token_type text not null,
        token_ttl text not null,
        expires timestamptz not null,
        adhoc_role jsonb,
        role_binding text[] not null,
        primary_pair jsonb not null,
        secondary_pair jsonb,
        access_only boolean not null,
        unique (organization_id, name)
      );
      create index on tokens (owner_id);
      -- Every secret that ever opened a token, so that a refresh secret that comes back after its time is recognized.
      create table token_secrets (
        hash text primary key,
        token_id text not null references tokens on delete cascade,
        organization_id text not null references organizations on delete cascade,
        kind text not null,
        created_at timestamptz not null
      );
      create index on token_secrets (token_id);
      create table data_keys (
        owner_id text primary key,
        organization_id text not null references organizations on delete cascade,
        wrapped text not null,
        created_at timestamptz not null
      );
      create table idempotency_keys (
        organization_id text not null references organizations on delete cascade,
        owner_id text not null,
        operation text not null,
        key text not null,
        request_hash text not null,
        reply text,
        created_at timestamptz not null,
        primary key (organization_id, owner_id, operation, key)
      );
      create index on idempotency_keys (created_at);
      create table mock_records (
        integration_id text not null references integrations on delete cascade,
        organization_id text not null references organizations on delete cascade,
        collection text not null,
        id text not null,
        position bigint generated always as identity,
        record jsonb not null,
        primary key (integration_id, collection, id)
      );
    `);
    const tenantTables =
      'members accounts integration_points integrations credentials mappings tokens token_secrets data_keys idempotency_keys mock_records';
    await protectTenantTables(runner, tenantTables.split(' '));
    await runner.query(`
      alter table organizations enable row level security;
      create policy tenant on organizations to onefold_application
        using (id = current_setting('onefold.organization_id', true))
        with check (id = current_setting('onefold.organization_id', true));
      grant select, insert, update on organizations to onefold_application;

      -- The one question that is asked before the organization is known; its owner's rights see all rows.
      create function onefold_token_organization(secret_hash text) returns text
        language sql stable security definer set search_path = public
        as $$ select organization_id from token_secrets where hash = secret_hash $$;
      grant execute on function onefold_token_organization(text) to onefold_application;

      -- A read under an organization in one round trip: begin, setting, statement and commit took four. It runs with the
      -- caller's rights, behind the same policies; the parameters are one array, the first is $1 ->> 0.
      create function onefold_read(organization text, statement text, parameters jsonb) returns setof jsonb
        language plpgsql set search_path = public
        as $$ begin
          perform set_config('onefold.organization_id', organization, true);
          return query execute 'select to_jsonb(r) from (' || statement || ') r' using parameters;
        end $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_token_organization(text);
      drop function onefold_read(text, text, jsonb);
      drop table mock_records, idempotency_keys, data_keys, token_secrets, tokens, mappings, credentials,
        integrations, integration_points, accounts, members, organizations;
    `);
  }
}
