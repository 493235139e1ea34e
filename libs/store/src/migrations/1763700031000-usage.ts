import type { MigrationInterface, QueryRunner } from 'typeorm';

const counters = `
  requests bigint not null default 0,
  failed bigint not null default 0,
  cpu_time bigint not null default 0,
  db_ops bigint not null default 0,
  api_ops bigint not null default 0,
  in_bytes bigint not null default 0,
  out_bytes bigint not null default 0`;

const names = ['requests', 'failed', 'cpu_time', 'db_ops', 'api_ops', 'in_bytes', 'out_bytes'];
const sums = names.map((name) => `sum(${name})::bigint`).join(', ');
const raise = names.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ');

/**
 * Usage of integrations: counters and state of each, minutes of two days, months for billing, changes of state. Rows refer
 * to integrations without a foreign key: a count never waits for somebody who changes an integration, and billing outlives it.
 */
export class Usage1763700031000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table integration_status (
        integration_id text primary key,
        organization_id text not null references organizations on delete cascade,
        account_id text not null,
        status text not null default 'new',
        last_event_at timestamptz,
        updated_at timestamptz not null,
        ${counters}
      );
      create index on integration_status (organization_id);
      create table integration_events (
        id bigint generated always as identity primary key,
        organization_id text not null references organizations on delete cascade,
        account_id text not null,
        integration_id text not null,
        -- The time as answers write it: pages begin after it, so no integration has one twice.
        name text collate "C" not null,
        created_at timestamptz not null,
        status text not null,
        error text,
        request bigint not null,
        unique (integration_id, name)
      );
      create index on integration_events (organization_id);
      create index on integration_events (created_at);
      -- Dropped after two days, so without foreign keys: those would lock organizations at each partition made or dropped.
      create table usage_minutes (
        organization_id text not null,
        account_id text not null,
        integration_id text not null,
        minute timestamptz not null,
        ${counters},
        primary key (integration_id, minute)
      ) partition by range (minute);
      create index on usage_minutes (organization_id, minute);
      create table usage_months (
        organization_id text not null references organizations on delete cascade,
        month date not null,
        integration_id text not null,
        account_id text not null,
        account_name text,
        integration_name text,
        category text,
        provider_type text,
        ${counters},
        primary key (organization_id, month, integration_id)
      );
      -- The last batch of each process that counts: one whose answer was lost is sent again, and counts once.
      create table usage_sources (
        id text primary key,
        last_batch bigint not null,
        seen_at timestamptz not null
      );
    `);
    for (const table of [
      'integration_status',
      'integration_events',
      'usage_minutes',
      'usage_months',
    ])
      await runner.query(`
        alter table ${table} enable row level security;
        create policy tenant on ${table} to onefold_application
          using (organization_id = current_setting('onefold.organization_id', true))
          with check (organization_id = current_setting('onefold.organization_id', true));
        grant select, insert, update, delete on ${table} to onefold_application;
      `);
    await runner.query(`
      create index integrations_by_account on integrations (organization_id, ((account_id || ',' || id) collate "C"));
      -- Every integration has a status, also before its first call.
      create view integration_statuses with (security_invoker = true) as
        select i.id, ((i.account_id || ',' || i.id) collate "C") as name, i.organization_id, i.account_id, i.id as integration_id,
          coalesce(s.status, 'new') as status, i.created_at, coalesce(s.updated_at, i.created_at) as updated_at,
          ${names.map((name) => `coalesce(s.${name}, 0) as ${name}`).join(', ')}
        from integrations i left join integration_status s on s.integration_id = i.id;
      grant select on integration_statuses to onefold_application;

      -- What a process has counted since its last batch, for all organizations at once, so it has its owner's rights.
      -- Returns true when it was the first of a day: then old rows are to be dropped.
      create function onefold_add_usage(source text, batch bigint, counts jsonb, states jsonb) returns boolean
        language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
        as $$
        declare
          known text[];
          day date;
          change record;
          event record;
          new_day boolean := false;
        begin
          insert into usage_sources as s values (source, batch, now())
            on conflict (id) do update set last_batch = excluded.last_batch, seen_at = excluded.seen_at
            where s.last_batch < excluded.last_batch;
          if not found then return false; end if;

          -- Locked before anything else, so that this and the deletion of an organization never wait for each other.
          select array_agg(id) into known from (
            select o.id from organizations o
            where o.id in (select distinct c.organization_id from jsonb_to_recordset(counts) as c(organization_id text))
            order by o.id for key share) o;

          for day in
            select distinct c.minute::date from jsonb_to_recordset(counts) as c(minute timestamptz)
            where c.minute >= current_date - 1
          loop
            if to_regclass('usage_minutes_' || to_char(day, 'YYYYMMDD')) is null then
              perform pg_advisory_xact_lock(7091605);
              execute format('create table if not exists %I partition of usage_minutes for values from (%L) to (%L)',
                'usage_minutes_' || to_char(day, 'YYYYMMDD'), day::timestamptz, (day + 1)::timestamptz);
              new_day := true;
            end if;
          end loop;

          insert into integration_status as t (integration_id, organization_id, account_id, updated_at, ${names.join(', ')})
          select integration_id, organization_id, account_id, now(), ${sums}
            from jsonb_populate_recordset(null::usage_minutes, counts)
            where organization_id = any(known) group by 1, 2, 3 order by 1
          on conflict (integration_id) do update set updated_at = excluded.updated_at, ${raise};

          insert into usage_minutes as t (integration_id, organization_id, account_id, minute, ${names.join(', ')})
          select integration_id, organization_id, account_id, minute, ${names.join(', ')}
            from jsonb_populate_recordset(null::usage_minutes, counts)
            where organization_id = any(known) and minute >= current_date - 1 order by 1, 4
          on conflict (integration_id, minute) do update set ${raise};

          insert into usage_months as t (organization_id, month, integration_id, account_id,
            account_name, integration_name, category, provider_type, ${names.join(', ')})
          select c.*, a.name, i.name, i.category, i.provider_type, ${names.map((name) => `n.${name}`).join(', ')}
            from (select organization_id, date_trunc('month', minute)::date as month, integration_id, account_id, ${names
              .map((name) => `sum(${name})::bigint as ${name}`)
              .join(', ')}
              from jsonb_populate_recordset(null::usage_minutes, counts)
              where organization_id = any(known) group by 1, 2, 3, 4) n
            cross join lateral (select n.organization_id, n.month, n.integration_id, n.account_id) c
            left join integrations i on i.id = n.integration_id left join accounts a on a.id = n.account_id
            order by 1, 2, 3
          on conflict (organization_id, month, integration_id) do update set ${raise},
            account_name = coalesce(excluded.account_name, t.account_name),
            integration_name = coalesce(excluded.integration_name, t.integration_name),
            category = coalesce(excluded.category, t.category),
            provider_type = coalesce(excluded.provider_type, t.provider_type);

          for change in
            select r.integration_id, r.status, r.error, r.at from (
              select integration_id, status, error, at, position,
                lag(status) over (partition by integration_id order by position) as before
              from jsonb_to_recordset(states)
                as one(integration_id text, status text, error text, at timestamptz, position integer)) r
            join integration_status s using (integration_id)
            where r.status is distinct from coalesce(r.before, s.status) order by r.integration_id, r.position
          loop
            update integration_status set status = change.status, last_event_at = greatest(
                date_trunc('milliseconds', change.at), last_event_at + interval '1 millisecond')
              where integration_id = change.integration_id
              returning organization_id, account_id, last_event_at, requests into event;
            insert into integration_events (organization_id, account_id, integration_id, name, created_at, status, error, request)
            values (event.organization_id, event.account_id, change.integration_id,
              to_char(event.last_event_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), event.last_event_at, change.status, change.error, event.requests);
          end loop;
          return new_day;
        end $$;
      grant execute on function onefold_add_usage(text, bigint, jsonb, jsonb) to onefold_application;

      -- What nobody can ask for any more: minutes before yesterday, events of a month ago or behind the newest thousand of an
      -- integration, months before the same month of last year, and what belonged to integrations that are gone.
      create function onefold_drop_old_usage() returns void
        language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
        as $$
        declare
          partition regclass;
        begin
          perform pg_advisory_xact_lock(7091605);
          for partition in
            select inhrelid::regclass from pg_inherits join pg_class c on c.oid = inhrelid
            where inhparent = 'usage_minutes'::regclass
              and c.relname < 'usage_minutes_' || to_char(current_date - 1, 'YYYYMMDD')
          loop
            execute format('drop table %s', partition);
          end loop;
          delete from usage_months where month < (date_trunc('month', now()) - interval '12 months')::date;
          delete from usage_sources where seen_at < now() - interval '1 day';
          delete from integration_events where created_at < now() - interval '30 days';
          delete from integration_events where id in (
            select id from (select id, row_number() over (partition by integration_id order by name desc) as place
              from integration_events) e where place > 1000);
          delete from integration_events e where not exists (select from integrations i where i.id = e.integration_id);
          delete from integration_status s where not exists (select from integrations i where i.id = s.integration_id);
        end $$;
      grant execute on function onefold_drop_old_usage() to onefold_application;
      revoke execute on function onefold_add_usage(text, bigint, jsonb, jsonb), onefold_drop_old_usage() from public;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_drop_old_usage();
      drop function onefold_add_usage(text, bigint, jsonb, jsonb);
      drop view integration_statuses;
      drop index integrations_by_account;
      drop table usage_sources, usage_months, usage_minutes, integration_events, integration_status;
    `);
  }
}
