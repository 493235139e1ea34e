import type { BaselinePart } from './baseline-part.js';
import { addUsage, dropOldUsage, statusesView } from './usage-counters.js';

/** The state of integrations, its changes, and their usage by minutes, hours and months. */
export const usage: BaselinePart = {
  sql: `
  create table integration_status (
    integration_id text primary key,
    organization_id text not null references organizations on delete cascade,
    account_id text not null,
    status text not null default 'new',
    last_event_at timestamptz,
    updated_at timestamptz not null,
    requests bigint not null default 0,
    failed bigint not null default 0,
    cpu_time bigint not null default 0,
    db_ops bigint not null default 0,
    api_ops bigint not null default 0,
    in_bytes bigint not null default 0,
    out_bytes bigint not null default 0,
    job_requests bigint not null default 0,
    drift jsonb not null default '[]' check (jsonb_array_length(drift) <= 50)
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
    -- Null: there is nothing to send. 'new': it is in no batch yet. Otherwise the id of its batch, which stays when it is sent again.
    sink_batch text,
    request_id text,
    unique (integration_id, name)
  );
  create index on integration_events (organization_id);
  create index on integration_events (created_at);
  create index integration_events_to_send on integration_events (organization_id, id) where sink_batch is not null;
  -- Dropped after two days, so without foreign keys: those would lock organizations at each partition made or dropped.
  create table usage_minutes (
    organization_id text not null,
    account_id text not null,
    integration_id text not null,
    minute timestamptz not null,
    requests bigint not null default 0,
    failed bigint not null default 0,
    cpu_time bigint not null default 0,
    db_ops bigint not null default 0,
    api_ops bigint not null default 0,
    in_bytes bigint not null default 0,
    out_bytes bigint not null default 0,
    job_requests bigint not null default 0,
    primary key (integration_id, minute)
  ) partition by range (minute);
  create index on usage_minutes (organization_id, minute);
  -- Without foreign keys, as the minutes are.
  create table usage_hours (
    organization_id text not null,
    account_id text not null,
    integration_id text not null,
    hour timestamptz not null,
    requests bigint not null default 0,
    failed bigint not null default 0,
    cpu_time bigint not null default 0,
    db_ops bigint not null default 0,
    api_ops bigint not null default 0,
    in_bytes bigint not null default 0,
    out_bytes bigint not null default 0,
    job_requests bigint not null default 0,
    primary key (integration_id, hour)
  );
  create index on usage_hours (organization_id, hour);
  create index on usage_hours (hour);
  create table usage_months (
    organization_id text not null references organizations on delete cascade,
    month date not null,
    integration_id text not null,
    account_id text not null,
    account_name text,
    integration_name text,
    category text,
    provider_type text,
    requests bigint not null default 0,
    failed bigint not null default 0,
    cpu_time bigint not null default 0,
    db_ops bigint not null default 0,
    api_ops bigint not null default 0,
    in_bytes bigint not null default 0,
    out_bytes bigint not null default 0,
    job_requests bigint not null default 0,
    primary key (organization_id, month, integration_id)
  );
  -- The last batch of each process that counts: one whose answer was lost is sent again, and counts once.
  create table usage_sources (
    id text primary key,
    last_batch bigint not null,
    seen_at timestamptz not null
  );
${statusesView}
  grant select on integration_statuses to onefold_application;
${addUsage}
  revoke execute on function onefold_add_usage(text, bigint, jsonb, jsonb) from public;
  grant execute on function onefold_add_usage(text, bigint, jsonb, jsonb) to onefold_application;
${dropOldUsage}
  revoke execute on function onefold_drop_old_usage() from public;
  grant execute on function onefold_drop_old_usage() to onefold_application;
  -- In the order in which counts are added, so that neither waits for the other.
  create function onefold_forget_integrations() returns trigger
    language plpgsql security definer set search_path = public, pg_temp
    as $$ begin
          perform from integration_status where integration_id in (select id from gone)
            order by integration_id for update;
          delete from integration_status where integration_id in (select id from gone);
          delete from integration_events where integration_id in (select id from gone);
          return null;
        end $$;
  -- The status changes all the same.
  create function onefold_limit_events() returns trigger
    language plpgsql set search_path = public
    as $$ begin
          if (select count(*) from integration_events e where e.integration_id = new.integration_id
              and e.created_at > new.created_at - interval '1 minute') >= 10 then return null; end if;
          return new;
        end $$;
  -- Not those of the sink itself: each failure to send would be another event.
  create function onefold_tell_state() returns trigger
    language plpgsql set search_path = public
    as $$ begin
          if exists (select from integration_points p join integrations i on i.integration_point_id = p.id
              where p.organization_id = new.organization_id and p.built_in and p.name = 'status-events'
                and i.id <> new.integration_id) then
            new.sink_batch := 'new';
          end if;
          return new;
        end $$;
  -- The organizations that have some, for the worker.
  create function onefold_status_backlog() returns setof text
    language sql stable security definer set search_path = public, pg_temp
    as $$ select distinct organization_id from integration_events where sink_batch is not null $$;
  revoke execute on function onefold_status_backlog() from public;
  grant execute on function onefold_status_backlog() to onefold_application;
  create function onefold_add_drift(findings jsonb) returns void
    language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
    as $$
        begin
          perform from integration_status where integration_id in (
              select one.integration_id from jsonb_to_recordset(findings) as one(integration_id text))
            order by integration_id for update;
          update integration_status s set drift = (
            select coalesce(jsonb_agg(entry || jsonb_build_object('first_seen_at', first, 'last_seen_at', last)
                order by last desc, entry::text), '[]')
              from (
                select entry, min(first) as first, max(last) as last from (
                  select kept - 'first_seen_at' - 'last_seen_at' as entry,
                      (kept ->> 'first_seen_at')::timestamptz as first, (kept ->> 'last_seen_at')::timestamptz as last
                    from jsonb_array_elements(s.drift) as kept
                  union all
                  select one.entry, one.at, one.at from jsonb_to_recordset(findings) as one(integration_id text, at timestamptz, entry jsonb)
                    where one.integration_id = s.integration_id) every_one
                group by entry having max(last) >= now() - interval '30 days'
                order by last desc, entry::text limit 50) newest)
            where integration_id in (
              select one.integration_id from jsonb_to_recordset(findings) as one(integration_id text));
        end $$;
  revoke execute on function onefold_add_drift(jsonb) from public;
  grant execute on function onefold_add_drift(jsonb) to onefold_application;
  create trigger forget_usage after delete on integrations referencing old table as gone
    for each statement execute function onefold_forget_integrations();
  create trigger limit_events before insert on integration_events
    for each row execute function onefold_limit_events();
  create trigger tell_state before insert on integration_events
    for each row execute function onefold_tell_state();
`,
  tables: ['integration_status', 'integration_events', 'usage_minutes', 'usage_months'],
  limited: { usage_hours: 'select' },
};
