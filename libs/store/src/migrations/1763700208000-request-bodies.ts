import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';

/** Bodies of calls in the request log, sealed, for integrations whose bodies are recorded until a time. */
export class RequestBodies1763700208000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table integrations add recording jsonb;
      create table request_bodies (
        -- The id of the call in request_records.
        id text collate "C" primary key,
        organization_id text not null references organizations on delete cascade,
        integration_id text not null references integrations on delete cascade,
        sealed text not null,
        size integer not null,
        expires_at timestamptz not null
      );
      create index on request_bodies (organization_id);
      create index on request_bodies (integration_id, id);
      create index on request_bodies (expires_at);
      -- Adds bodies of calls of any organization while their integrations are recorded, and deletes the oldest ones beyond the limits of
      -- an integration. The lock waits for a transaction that ends a recording.
      create function onefold_add_request_bodies(entries jsonb, max_calls integer, max_size bigint) returns void
        language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
        as $$
        begin
          insert into request_bodies (id, organization_id, integration_id, sealed, size, expires_at)
            select r.id, i.organization_id, i.id, r.sealed, length(r.sealed), (i.recording ->> 'until')::timestamptz
            from jsonb_to_recordset(entries) as r(id text, organization_id text, integration_id text, sealed text)
            join integrations i on i.id = r.integration_id and i.organization_id = r.organization_id
            where (i.recording ->> 'until')::timestamptz > now()
            for share of i
            on conflict (id) do nothing;
          delete from request_bodies where id in (
            select id from (
              select id, row_number() over latest as number, sum(size) over latest as total
              from request_bodies
              where integration_id in (
                select e.integration_id from jsonb_to_recordset(entries) as e(integration_id text))
              window latest as (partition by integration_id order by id desc)) ranked
            where number > max_calls or total > max_size);
        end $$;
      revoke execute on function onefold_add_request_bodies(jsonb, integer, bigint) from public;
      grant execute on function onefold_add_request_bodies(jsonb, integer, bigint) to onefold_application;
      create function onefold_prune_request_bodies() returns bigint
        language sql security definer set search_path = public, pg_temp
        as $$
          with gone as (delete from request_bodies where expires_at <= now() returning 1) select count(*) from gone
        $$;
      revoke execute on function onefold_prune_request_bodies() from public;
      grant execute on function onefold_prune_request_bodies() to onefold_application;
    `);
    await protectTenantTables(runner, ['request_bodies'], 'select, delete');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_prune_request_bodies();
      drop function onefold_add_request_bodies(jsonb, integer, bigint);
      drop table request_bodies;
      alter table integrations drop recording;
    `);
  }
}
