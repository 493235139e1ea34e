import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';

/** Schedules of jobs, and the bounds of the runs that they start. */
export class JobSchedules1763700170000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table operations add column schedule jsonb;
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
        backfill_until timestamptz
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
      alter table operation_runs
        add column kind text not null default 'list',
        -- The newest time that the run has read.
        add column newest timestamptz,
        -- The beginning of the window of a backfill.
        add column window_from timestamptz;
    `);
    await protectTenantTables(runner, ['operation_schedules', 'operation_seen_records']);
    await runner.query(`
      -- Schedules of all organizations that should run, or whose next time is too far away; the longest due first.
      create function onefold_due_schedules(at timestamptz, most integer)
        returns table (organization_id text, id text)
        language sql stable security definer set search_path = public, pg_temp
        as $$
          select s.organization_id, s.id from operation_schedules s
          where s.next_at <= $1 or s.earliest_at > $1 order by s.next_at limit $2 $$;
      revoke execute on function onefold_due_schedules(timestamptz, integer) from public;
      grant execute on function onefold_due_schedules(timestamptz, integer) to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_due_schedules(timestamptz, integer);
      drop table operation_seen_records, operation_schedules;
      alter table operation_runs drop column kind, drop column newest, drop column window_from;
      alter table operations drop column schedule;
    `);
  }
}
