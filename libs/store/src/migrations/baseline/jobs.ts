import type { BaselinePart } from './baseline-part.js';

/** Jobs, their runs and schedules. */
export const jobs: BaselinePart = {
  sql: `
  -- A time in the one form answers give it; to_char itself depends on the session in other forms.
  create function onefold_instant(at timestamptz) returns text
    language sql immutable
    as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;
  create table operations (
    id text collate "C" primary key,
    name text collate "C" generated always as (id) stored,
    organization_id text not null references organizations on delete cascade,
    account_id text not null references accounts on delete cascade,
    integration_id text not null references integrations on delete cascade,
    operation text not null,
    input jsonb not null,
    status text not null,
    errors jsonb,
    cpu_time bigint not null default 0,
    in_bytes bigint not null default 0,
    output_integration_id text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    schedule jsonb
  );
  create index on operations (organization_id, name);
  create index on operations (account_id);
  create index on operations (integration_id);
  create index operations_by_end on operations (updated_at) where status in ('COMPLETE', 'CANCELLED');
  create table operation_executions (
    id text primary key,
    organization_id text not null references organizations on delete cascade,
    account_id text not null references accounts on delete cascade,
    integration_id text not null references integrations on delete cascade,
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
    initial_cursor text,
    final_cursor text,
    error text,
    unique (organization_id, name)
  );
  create index on operation_executions (operation_id);
  create index on operation_executions (account_id);
  create index on operation_executions (integration_id);
  create index operation_executions_by_end on operation_executions (completed_at);
  create table operation_runs (
    -- The id of the execution.
    id text primary key,
    organization_id text not null references organizations on delete cascade,
    operation_id text not null references operations on delete cascade,
    integration_id text not null references integrations on delete cascade,
    trigger_type text not null,
    trigger_source text not null,
    created_at timestamptz not null,
    -- Since when it is one of the runs of its organization that have a task in the queue.
    admitted_at timestamptz,
    started_at timestamptz,
    -- The page that is next, and where it begins; a run of a schedule may begin where the one before has ended.
    page integer not null default 0,
    position text,
    initial_position text,
    -- Bounds of what is read, of schedules.
    filters text[],
    records bigint not null default 0,
    cpu_time bigint not null default 0,
    in_bytes bigint not null default 0,
    -- Attempts at the page that failed, and the time of the first.
    failures integer not null default 0,
    failing_since timestamptz,
    kind text not null default 'list',
    -- The newest time that the run has read.
    newest timestamptz,
    -- The beginning of the window of a backfill.
    window_from timestamptz,
    waiting_since timestamptz
  );
  create index on operation_runs (organization_id, created_at);
  create index on operation_runs (operation_id);
  create index on operation_runs (integration_id);
  create table operation_schedules (
    -- The job that runs again and again.
    id text primary key references operations on delete cascade,
    organization_id text not null references organizations on delete cascade,
    integration_id text not null references integrations on delete cascade,
    -- Which of the integration's scheduled_operations it is; null for one that was created by itself or taken out.
    key text,
    trigger_source text not null,
    created_at timestamptz not null,
    period_ms bigint not null,
    -- Runs begin at this time and at multiples of the period from it.
    anchor timestamptz not null,
    -- The next run; null while it is switched off.
    next_at timestamptz,
    -- Before this time next_at is more than a period away, so the clock was set back.
    earliest_at timestamptz,
    -- Runs that failed since the last that did not.
    failures integer not null default 0,
    mode text not null,
    -- Of increments: the field of the filter, where its value is in a record, and the newest value that was read.
    time_field text,
    time_path text,
    high_water timestamptz,
    -- What is still to be read of the past: from the first to the second, newest first.
    backfill_from timestamptz,
    backfill_until timestamptz,
    -- The event that starts its runs; null for one that runs by the clock.
    event text
  );
  create index on operation_schedules (next_at);
  create index on operation_schedules (earliest_at);
  create index on operation_schedules (organization_id, integration_id);
  create index on operation_schedules (integration_id);
  -- Records that increments have written, as far as the next increment may read them again.
  create table operation_seen_records (
    schedule_id text not null references operation_schedules on delete cascade,
    organization_id text not null references organizations on delete cascade,
    digest bytea not null,
    at timestamptz not null,
    primary key (schedule_id, digest)
  );
  -- Counts of the runs of all organizations, for metrics.
  create function onefold_job_counts(out waiting bigint, out running bigint, out failing bigint, out oldest_seconds double precision)
    language sql stable security definer set search_path = public, pg_temp
    as $$
          select count(*) filter (where admitted_at is null),
            count(*) filter (where admitted_at is not null and failing_since is null),
            count(*) filter (where failing_since is not null),
            coalesce(extract(epoch from now() - min(created_at) filter (where admitted_at is null)), 0)
          from operation_runs $$;
  revoke execute on function onefold_job_counts() from public;
  grant execute on function onefold_job_counts() to onefold_application;
  -- Schedules of all organizations that should run, or whose next time is too far away; the longest due first.
  create function onefold_due_schedules(at timestamptz, most integer) returns table(organization_id text, id text)
    language sql stable security definer set search_path = public, pg_temp
    as $$
          select s.organization_id, s.id from operation_schedules s
          where s.next_at <= $1 or s.earliest_at > $1 order by s.next_at limit $2 $$;
  revoke execute on function onefold_due_schedules(timestamptz, integer) from public;
  grant execute on function onefold_due_schedules(timestamptz, integer) to onefold_application;
  create function onefold_prune_jobs() returns bigint
    language plpgsql security definer set search_path = public, pg_temp
    as $$
        declare
          step constant integer := 5000;
          runs bigint;
          jobs bigint;
        begin
          if not pg_try_advisory_xact_lock(7091608) then return 0; end if;
          delete from operation_executions where id in (
            select id from operation_executions where completed_at < now() - interval '90 days' limit step);
          get diagnostics runs = row_count;
          -- A job that an operator resumed has a run.
          delete from operations where id in (
            select id from operations o where status in ('COMPLETE', 'CANCELLED') and updated_at < now() - interval '90 days'
              and not exists (select from operation_runs r where r.operation_id = o.id)
              -- That of an entry of an integration which somebody cancelled says that the entry does not run.
              and not exists (select from operation_schedules s where s.id = o.id and s.key is not null)
            limit step for update skip locked);
          get diagnostics jobs = row_count;
          return runs + jobs;
        end $$;
  revoke execute on function onefold_prune_jobs() from public;
  grant execute on function onefold_prune_jobs() to onefold_application;
`,
  tables: [
    'operations',
    'operation_executions',
    'operation_runs',
    'operation_schedules',
    'operation_seen_records',
  ],
};
