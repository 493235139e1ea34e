import type { MigrationInterface, QueryRunner } from 'typeorm';

const names = ['requests', 'failed', 'cpu_time', 'db_ops', 'api_ops', 'in_bytes', 'out_bytes'];
const sums = names.map((name) => `sum(${name})::bigint`).join(', ');
const raise = names.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ');

/** Changes of the state of an integration name the request that showed it. */
export class EventRequests1763700181650 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table integration_events add request_id text');
    await runner.query(addUsage(', request_id', ', request_id text', ', change.request_id'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(addUsage('', '', ''));
    await runner.query('alter table integration_events drop request_id');
  }
}

/** The function that adds a batch of counts, with or without a further field of the states. */
function addUsage(field: string, typed: string, value: string): string {
  return `
      create or replace function onefold_add_usage(source text, batch bigint, counts jsonb, states jsonb) returns boolean
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
            select r.* from (
              select integration_id, status, error, at, position${field},
                lag(status) over (partition by integration_id order by position) as before
              from jsonb_to_recordset(states)
                as one(integration_id text, status text, error text, at timestamptz, position integer${typed})) r
            join integration_status s using (integration_id)
            where r.status is distinct from coalesce(r.before, s.status) order by r.integration_id, r.position
          loop
            update integration_status set status = change.status, last_event_at = greatest(
                date_trunc('milliseconds', change.at), last_event_at + interval '1 millisecond')
              where integration_id = change.integration_id
              returning organization_id, account_id, last_event_at, requests into event;
            insert into integration_events (organization_id, account_id, integration_id, name, created_at, status, error, request${field})
            values (event.organization_id, event.account_id, change.integration_id,
              to_char(event.last_event_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), event.last_event_at, change.status, change.error, event.requests${value});
          end loop;
          return new_day;
        end $$;`;
}
