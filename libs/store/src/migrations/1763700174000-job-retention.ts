import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs that ended, and runs, are removed after 90 days. */
export class JobRetention1763700174000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index operations_by_end on operations (updated_at) where status in ('COMPLETE', 'CANCELLED');
      create index operation_executions_by_end on operation_executions (completed_at);
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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_prune_jobs();
      drop index operation_executions_by_end;
      drop index operations_by_end;
    `);
  }
}
