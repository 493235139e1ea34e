import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';

/** The request log: calls of the connector API, by day. */
export class RequestRecords1763700203000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Partitioned, so without foreign keys: those would lock organizations at each partition made or dropped.
      create table request_records (
        id text collate "C" primary key,
        name text collate "C" generated always as (id) stored,
        organization_id text not null,
        account_id text not null,
        integration_id text not null,
        request_id text not null,
        token_id text,
        operation text not null,
        provider text,
        dry_run boolean not null,
        status integer not null,
        -- Microseconds.
        duration bigint not null,
        in_bytes bigint not null,
        out_bytes bigint not null,
        mappings jsonb not null,
        exchanges jsonb not null,
        omitted_exchanges integer not null,
        problem jsonb,
        -- True for those that are kept only while they are among the last of their integration.
        recent boolean not null,
        created_at timestamptz not null
      ) partition by range (id);
      create index on request_records (organization_id, name);
      create index on request_records (organization_id, created_at);
      create index on request_records (organization_id, request_id);
      create index on request_records (integration_id, name);
      create index on request_records (integration_id, id) where recent;
      -- Adds calls of any organization, and deletes those that are not among the last any more. A batch that comes again adds nothing.
      create function onefold_add_requests(entries jsonb, max_recent integer) returns void
        language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
        as $$
        begin
          insert into request_records (id, organization_id, account_id, integration_id, request_id, token_id, operation,
              provider, dry_run, status, duration, in_bytes, out_bytes, mappings, exchanges, omitted_exchanges, problem,
              recent, created_at)
            select r.* from jsonb_to_recordset(entries) as r(id text, organization_id text, account_id text,
              integration_id text, request_id text, token_id text, operation text, provider text, dry_run boolean,
              status integer, duration bigint, in_bytes bigint, out_bytes bigint, mappings jsonb, exchanges jsonb,
              omitted_exchanges integer, problem jsonb, recent boolean, created_at timestamptz)
            where exists (select from integrations i where i.id = r.integration_id and i.organization_id = r.organization_id)
            on conflict (id) do nothing;
          -- While another process deletes some, the next batch does it.
          if pg_try_advisory_xact_lock(7091609) then
            delete from request_records r using (
              select t.integration_id, (
                select n.id from request_records n where n.integration_id = t.integration_id and n.recent
                  order by n.id desc offset max_recent - 1 limit 1) as oldest
              from (select distinct e.integration_id
                from jsonb_to_recordset(entries) as e(integration_id text, recent boolean) where e.recent) t) kept
            where r.integration_id = kept.integration_id and r.recent and r.id < kept.oldest;
          end if;
        end $$;
      revoke execute on function onefold_add_requests(jsonb, integer) from public;
      grant execute on function onefold_add_requests(jsonb, integer) to onefold_application;
      -- Makes the days to come, and drops those that ended more than so many days ago. As the owner: the services may not. Several
      -- may call it at once, one does it.
      create function onefold_request_days(keep_days integer) returns setof text
        language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
        as $$
        declare
          day timestamptz;
          part text;
        begin
          if not pg_try_advisory_xact_lock(7091610) then return; end if;
          for ahead in -1..7 loop
            day := date_trunc('day', now(), 'UTC') + make_interval(days => ahead);
            part := 'request_records_' || to_char(day at time zone 'UTC', 'YYYY_MM_DD');
            continue when to_regclass('public.' || part) is not null;
            execute format('create table %I (like request_records including generated)', part);
            execute format('alter table request_records attach partition %I for values from (%L) to (%L)', part,
              'req_' || substr(onefold_delivery_bound(day), 5),
              'req_' || substr(onefold_delivery_bound(day + interval '1 day'), 5));
            return next 'created ' || part;
          end loop;
          for part in
            select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
            where i.inhparent = 'request_records'::regclass order by 1
          loop
            day := (to_date(right(part, 10), 'YYYY_MM_DD') + interval '1 day') at time zone 'UTC';
            continue when day > now() - make_interval(days => greatest(keep_days, 1));
            begin
              -- Who waits for the lock keeps all others waiting behind: rather try again later.
              set local lock_timeout = '200ms';
              execute format('drop table %I', part);
              set local lock_timeout = 0;
            exception when lock_not_available then
              return next part || ' is in use';
              return;
            end;
            return next 'dropped ' || part;
          end loop;
        end $$;
      revoke execute on function onefold_request_days(integer) from public;
      grant execute on function onefold_request_days(integer) to onefold_application;
      create function onefold_forget_requests() returns trigger
        language plpgsql security definer set search_path = public, pg_temp
        as $$ begin
          delete from request_records where integration_id in (select id from gone);
          return null;
        end $$;
      create trigger forget_requests after delete on integrations referencing old table as gone
        for each statement execute function onefold_forget_requests();
      select onefold_request_days(36500);
    `);
    await protectTenantTables(runner, ['request_records'], 'select');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger forget_requests on integrations;
      drop function onefold_forget_requests();
      drop function onefold_request_days(integer);
      drop function onefold_add_requests(jsonb, integer);
      drop table request_records;
    `);
  }
}
