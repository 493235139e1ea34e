import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';

/** Runs of jobs that have not ended: how far they are. Those that ended are in operation_executions. */
export class JobRuns1763700162000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
        failing_since timestamptz
      );
      create index on operation_runs (organization_id, created_at);
      create index on operation_runs (operation_id);
      create index on operation_runs (integration_id);
    `);
    await protectTenantTables(runner, ['operation_runs']);
    await runner.query(`
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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function onefold_job_counts(); drop table operation_runs');
  }
}
