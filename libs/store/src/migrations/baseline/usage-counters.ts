/** The counters of usage, in the order of the columns. */
const counters = 'requests failed cpu_time db_ops api_ops in_bytes out_bytes job_requests'.split(
  ' ',
);
const list = counters.join(', ');
const sumOf = (name: string) => `coalesce(sum(${name}), 0)::bigint`;
const values = counters.map((name) => `coalesce(${name}, 0)`).join(', ');
const sums = counters.map(sumOf).join(', ');
const namedSums = counters.map((name) => `${sumOf(name)} as ${name}`).join(', ');
const raise = counters.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ');

/** The state of each integration with its counters; one that was never called has none in the table. */
export const statusesView = `
      create view integration_statuses with (security_invoker = true) as
        select i.id, ((i.account_id || ',' || i.id) collate "C") as name, i.organization_id, i.account_id, i.id as integration_id,
          coalesce(s.status, 'new') as status, i.created_at, coalesce(s.updated_at, i.created_at) as updated_at,
          ${counters.map((name) => `coalesce(s.${name}, 0) as ${name}`).join(', ')}
        from integrations i left join integration_status s on s.integration_id = i.id;`;

/** Parts of statements that keep the latencies of calls too, which came after the baseline. */
const latencies = {
  column: ', latencies',
  raiseMinute: ', latencies = onefold_add_counts(t.latencies, excluded.latencies)',
  sum: ', onefold_sum_counts(latencies)',
  raiseHour: ', latencies = onefold_add_counts(h.latencies, excluded.latencies)',
};
const noLatencies: typeof latencies = { column: '', raiseMinute: '', sum: '', raiseHour: '' };

/** How the time of a batch is stored with the states of integrations. */
const [exactly, byMilliseconds] = ['now()', "date_trunc('milliseconds', now())"];

/** The function that adds a batch of counts. A process of an older version sends fewer counters than there are: it counts zero of the others. */
const addUsageWith = ({ column, raiseMinute }: typeof latencies, now = exactly) => `
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

          insert into integration_status as t (integration_id, organization_id, account_id, updated_at, ${list})
          select integration_id, organization_id, account_id, ${now}, ${sums}
            from jsonb_populate_recordset(null::usage_minutes, counts)
            where organization_id = any(known) group by 1, 2, 3 order by 1
          on conflict (integration_id) do update set updated_at = excluded.updated_at, ${raise};

          insert into usage_minutes as t (integration_id, organization_id, account_id, minute, ${list}${column})
          select integration_id, organization_id, account_id, minute, ${values}${column}
            from jsonb_populate_recordset(null::usage_minutes, counts)
            where organization_id = any(known) and minute >= current_date - 1 order by 1, 4
          on conflict (integration_id, minute) do update set ${raise}${raiseMinute};

          insert into usage_months as t (organization_id, month, integration_id, account_id,
            account_name, integration_name, category, provider_type, ${list})
          select c.*, a.name, i.name, i.category, i.provider_type, ${counters.map((name) => `n.${name}`).join(', ')}
            from (select organization_id, date_trunc('month', minute)::date as month, integration_id, account_id, ${namedSums}
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
              select integration_id, status, error, at, position, request_id,
                lag(status) over (partition by integration_id order by position) as before
              from jsonb_to_recordset(states)
                as one(integration_id text, status text, error text, at timestamptz, position integer, request_id text)) r
            join integration_status s using (integration_id)
            where r.status is distinct from coalesce(r.before, s.status) order by r.integration_id, r.position
          loop
            update integration_status set status = change.status, last_event_at = greatest(
                date_trunc('milliseconds', change.at), last_event_at + interval '1 millisecond')
              where integration_id = change.integration_id
              returning organization_id, account_id, last_event_at, requests into event;
            insert into integration_events (organization_id, account_id, integration_id, name, created_at, status, error, request, request_id)
            values (event.organization_id, event.account_id, change.integration_id,
              to_char(event.last_event_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), event.last_event_at, change.status, change.error, event.requests, change.request_id);
          end loop;
          return new_day;
        end $$;`;
export const addUsage = addUsageWith(noLatencies);
export const addUsageAndLatencies = addUsageWith(latencies);
export const addUsageByMilliseconds = addUsageWith(latencies, byMilliseconds);

const hourSums = counters.map((name) => `sum(${name})::bigint`).join(', ');
const raiseHour = counters.map((name) => `${name} = h.${name} + excluded.${name}`).join(', ');
/**
 * The function that drops what nobody can ask for any more, and makes hours of the minutes that it drops.
 * @param isPartitioned whether hours and events are dropped by partitions, elsewhere
 */
const dropOldUsageWith = (
  { column, sum, raiseHour: raiseLatencies }: typeof latencies,
  isPartitioned = false,
) => `
      -- What nobody can ask for any more: minutes before yesterday, hours of 90 days ago, events of a month ago or behind the
      -- newest thousand of an integration, months before the same month of last year, and what belonged to integrations that are gone.
      create or replace function onefold_drop_old_usage() returns void
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
            execute format('insert into usage_hours as h (organization_id, account_id, integration_id, hour, ${list}${column})
              select organization_id, account_id, integration_id, date_trunc(''hour'', minute), ${hourSums}${sum}
                from %s where organization_id in (select id from organizations)${isPartitioned ? ' and minute >= current_date - 90' : ''} group by 1, 2, 3, 4
              on conflict (integration_id, hour) do update set ${raiseHour}${raiseLatencies}', partition);
            execute format('drop table %s', partition);
          end loop;
          ${isPartitioned ? '' : 'delete from usage_hours where hour < current_date - 90;'}
          delete from usage_hours where organization_id not in (select id from organizations);
          delete from usage_months where month < (date_trunc('month', now()) - interval '12 months')::date;
          delete from usage_sources where seen_at < now() - interval '1 day';
          ${isPartitioned ? '' : "delete from integration_events where created_at < now() - interval '30 days';"}
          delete from integration_events where id in (
            select id from (select id, row_number() over (partition by integration_id order by name desc) as place
              from integration_events) e where place > 1000);
          delete from integration_events e where not exists (select from integrations i where i.id = e.integration_id);
          delete from integration_status s where not exists (select from integrations i where i.id = s.integration_id);
        end $$;`;
export const dropOldUsage = dropOldUsageWith(noLatencies);
export const dropOldUsageWithLatencies = dropOldUsageWith(latencies);
export const dropOldUsageOfPartitions = dropOldUsageWith(latencies, true);
