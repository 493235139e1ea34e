import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropOldUsage, firstCounters } from './usage-functions.js';

/** Usage of integrations by hours, for 90 days: the minutes of a day become hours when they are dropped. */
export class UsageHours1763700181600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Without foreign keys, as the minutes are.
      create table usage_hours (
        organization_id text not null,
        account_id text not null,
        integration_id text not null,
        hour timestamptz not null,
        ${firstCounters.map((name) => `${name} bigint not null default 0`).join(', ')},
        primary key (integration_id, hour)
      );
      create index on usage_hours (organization_id, hour);
      create index on usage_hours (hour);
      alter table usage_hours enable row level security;
      create policy tenant on usage_hours to onefold_application
        using (organization_id = current_setting('onefold.organization_id', true))
        with check (organization_id = current_setting('onefold.organization_id', true));
      grant select on usage_hours to onefold_application;
    `);
    await runner.query(dropOldUsage(firstCounters));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
      drop table usage_hours;
    `);
  }
}
