import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';

const integrationColumns = `
  organization_id text not null references organizations on delete cascade,
  account_id text not null references accounts on delete cascade,
  integration_id text not null references integrations on delete cascade`;

/** Asynchronous operations and their runs. */
export class Operations1763700062000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table operations (
        id text collate "C" primary key,
        name text collate "C" generated always as (id) stored,
        ${integrationColumns},
        operation text not null,
        input jsonb not null,
        status text not null,
        errors jsonb,
        cpu_time bigint not null default 0,
        in_bytes bigint not null default 0,
        output_integration_id text,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index on operations (organization_id, name);
      create index on operations (account_id);
      create index on operations (integration_id);
      -- A time in the one form answers give it; to_char itself depends on the session in other forms.
      create function onefold_instant(at timestamptz) returns text language sql immutable
        as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;
      create table operation_executions (
        id text primary key,
        ${integrationColumns},
        operation_id text not null references operations on delete cascade,
        integration_point_id text,
        operation text not null,
        trigger_type text not null,
        trigger_source text not null,
        status text not null,
        started_at timestamptz not null,
        name text collate "C" generated always as (onefold_instant(started_at)) stored,
        completed_at timestamptz not null,
        records_processed bigint not null default 0,
        cpu_time bigint not null default 0,
        in_bytes bigint not null default 0,
        duration bigint not null default 0,
        initial_cursor text, final_cursor text, error text,
        unique (organization_id, name)
      );
      create index on operation_executions (operation_id);
      create index on operation_executions (account_id);
      create index on operation_executions (integration_id);
    `);
    await protectTenantTables(runner, ['operations', 'operation_executions']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table operation_executions, operations; drop function onefold_instant(timestamptz)',
    );
  }
}
