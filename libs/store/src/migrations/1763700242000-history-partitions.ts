import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';
import { dropOldUsageOfPartitions } from './baseline/usage-counters.js';

/**
 * Runs of jobs, changes of states and hours of usage are kept in partitions by time, which are dropped as a whole: to delete their rows one by one
 * takes as long as to write them, and leaves as much to vacuum. What is there becomes the first partition of each, where it is.
 */
export class HistoryPartitions1763700242000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Makes the partitions of the weeks or months to come, and drops those that ended that long ago, unless a row of them meets the condition.
      create function onefold_keep_partitions(base text, unit text, kept interval, unless text) returns setof text
        language plpgsql set search_path = public, pg_temp set timezone = 'UTC'
        as $$
        declare
          step constant interval := ('1 ' || unit)::interval;
          begins timestamptz;
          part text;
          is_needed boolean;
          -- The column of the time, and all that a row is written with.
          time_column constant text := (select a.attname from pg_partitioned_table p
            join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0] where p.partrelid = base::regclass);
          written constant text := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
            where attrelid = base::regclass and attnum > 0 and not attisdropped and attgenerated = '');
        begin
          for ahead in 0..3 loop
            begins := date_trunc(unit, now(), 'UTC') + ahead * step;
            part := base || '_' || to_char(begins at time zone 'UTC', 'YYYY_MM_DD');
            continue when to_regclass('public.' || part) is not null or exists (
              -- That of what was there before has no beginning.
              select from pg_class c where c.oid = to_regclass('public.' || base || '_before') and onefold_partition_end(c) > begins);
            execute format('create table %I (like %I including generated including defaults)', part, base);
            -- What a clock that was ahead has stored until now.
            execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning %5$s) insert into %6$I (%5$s) select * from moved',
              base || '_other', time_column, begins, begins + step, written, part);
            execute format('alter table %I attach partition %I for values from (%L) to (%L)', base, part, begins, begins + step);
            return next 'created ' || part;
          end loop;
          for part in
            select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
            where i.inhparent = to_regclass('public.' || base) and onefold_partition_end(c) <= now() - kept
            order by onefold_partition_end(c)
          loop
            execute format('select exists (select from %I where %s)', part, unless) into is_needed;
            continue when is_needed;
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
      create function onefold_partition_end(part pg_class) returns timestamptz
        language sql stable
        as $$ select substring(pg_get_expr((part).relpartbound, (part).oid) from 'TO \\(''([^'']+)''\\)')::timestamptz $$;
      revoke execute on function onefold_keep_partitions(text, text, interval, text) from public;
      -- As the owner: the services may not. Several may call it at once, one does it.
      create function onefold_keep_history() returns setof text
        language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
        as $$ begin
          if not pg_try_advisory_xact_lock(7091611) then return; end if;
          return query select onefold_keep_partitions('operation_executions', 'month', '90 days', 'completed_at > now() - interval ''90 days''');
          return query select onefold_keep_partitions('integration_events', 'week', '30 days', 'false');
          return query select onefold_keep_partitions('usage_hours', 'month', '90 days', 'false');
        end $$;
      revoke execute on function onefold_keep_history() from public;
      grant execute on function onefold_keep_history() to onefold_application;

      alter table operation_executions rename to operation_executions_before;
      alter table operation_executions_before
        drop constraint operation_executions_organization_id_fkey, drop constraint operation_executions_account_id_fkey,
        drop constraint operation_executions_integration_id_fkey, drop constraint operation_executions_operation_id_fkey,
        drop constraint operation_executions_pkey, drop constraint operation_executions_organization_id_name_key;
      create table operation_executions (
        like operation_executions_before including defaults including generated,
        primary key (id, started_at),
        -- The name is the time, so no two of an organization have one.
        unique (organization_id, name, started_at)
      ) partition by range (started_at);
      create index on operation_executions (operation_id);
      create index on operation_executions (account_id);
      create index on operation_executions (integration_id);
      create index on operation_executions (completed_at);
      -- Instead of foreign keys, which would lock jobs at each partition made or dropped. Jobs go with their integration, account and organization.
      create function onefold_forget_executions() returns trigger
        language plpgsql security definer set search_path = public, pg_temp
        as $$ begin
          delete from operation_executions where operation_id in (select id from gone);
          return null;
        end $$;
      create trigger forget_executions after delete on operations referencing old table as gone
        for each statement execute function onefold_forget_executions();
      create or replace function onefold_prune_jobs() returns bigint
        language plpgsql security definer set search_path = public, pg_temp
        as $$
        declare
          -- Each job may have many runs, which are deleted with it.
          step constant integer := 500;
          jobs bigint;
        begin
          if not pg_try_advisory_xact_lock(7091608) then return 0; end if;
          delete from operations where id in (
            select id from operations o where status in ('COMPLETE', 'CANCELLED') and updated_at < now() - interval '90 days'
              and not exists (select from operation_runs r where r.operation_id = o.id)
              -- That of an entry of an integration which somebody cancelled says that the entry does not run.
              and not exists (select from operation_schedules s where s.id = o.id and s.key is not null)
            limit step for update skip locked);
          get diagnostics jobs = row_count;
          return jobs;
        end $$;

      drop trigger limit_events on integration_events;
      drop trigger tell_state on integration_events;
      drop trigger mark_for_webhooks on integration_events;
      alter table integration_events rename to integration_events_before;
      alter table integration_events_before alter id drop identity,
        drop constraint integration_events_organization_id_fkey, drop constraint integration_events_pkey,
        drop constraint integration_events_integration_id_name_key;
      create sequence integration_events_numbers;
      grant usage on sequence integration_events_numbers to onefold_application;
      select setval('integration_events_numbers', coalesce(max(id), 0) + 1, false) from integration_events_before;
      -- Without foreign keys; events go with their integration.
      create table integration_events (like integration_events_before including defaults, primary key (id, created_at))
        partition by range (created_at);
      alter table integration_events alter id set default nextval('integration_events_numbers');
      alter sequence integration_events_numbers owned by integration_events.id;
      create index on integration_events (integration_id, name);
      create index on integration_events (organization_id);
      create index on integration_events (created_at);
      create index on integration_events (organization_id, id) where sink_batch is not null;
      create index on integration_events (organization_id, id) where for_webhooks;
      create trigger limit_events before insert on integration_events for each row execute function onefold_limit_events();
      create trigger mark_for_webhooks before insert on integration_events for each row execute function onefold_mark_for_webhooks();
      create trigger tell_state before insert on integration_events for each row execute function onefold_tell_state();

      alter table usage_hours rename to usage_hours_before;
      create table usage_hours (like usage_hours_before including defaults, primary key (integration_id, hour))
        partition by range (hour);
      create index on usage_hours (organization_id, hour);
      create index on usage_hours (hour);
      ${dropOldUsageOfPartitions}

      do $$
      declare
        one record;
      begin
        for one in select * from (values ('operation_executions', 'month'), ('integration_events', 'week'), ('usage_hours', 'month'))
          tables(base, unit)
        loop
          execute format('drop policy tenant on %I', one.base || '_before');
          execute format('alter table %I disable row level security', one.base || '_before');
          execute format('revoke all on %I from onefold_application', one.base || '_before');
          execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', one.base, one.base || '_before',
            date_trunc(one.unit, now(), 'UTC') + ('1 ' || one.unit)::interval);
          -- For times that have no partition, as of a worker whose clock is ahead: a run must not fail for them.
          execute format('create table %I partition of %I default', one.base || '_other', one.base);
        end loop;
      end $$;
      select onefold_keep_history();
    `);
    await protectTenantTables(runner, ['operation_executions', 'integration_events']);
    await protectTenantTables(runner, ['usage_hours'], 'select');
  }

  async down(): Promise<void> {
    await Promise.reject(
      new Error(
        'this cannot be undone, and need not be: processes of the version before use partitioned tables as they are',
      ),
    );
  }
}
