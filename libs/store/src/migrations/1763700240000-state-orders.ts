import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addUsageAndLatencies, addUsageByMilliseconds } from './baseline/usage-counters.js';

const counters = 'requests failed cpu_time db_ops api_ops in_bytes out_bytes job_requests';
const indexes = {
  by_name: 'name',
  by_urgency: 'urgency, name',
  by_urgency_and_change: 'urgency, updated_minute desc',
  by_status: 'status, name',
  by_change: 'updated_minute',
  by_requests: 'requests_rank',
  by_failed: 'failed_rank',
  by_fullname: 'fullname, name',
  by_category: 'category, name',
  by_provider: 'provider_type, name',
  by_age: 'created_at, name',
};

/**
 * Every integration has a row with its state from its creation on, with what lists of states filter and order by, so that all of it has
 * indexes. Counters and times change with every batch of calls: an index of them would write each index of the table with each batch.
 * Their ranks and minutes change rarely, and rows of one rank are few enough to be sorted.
 */
export class StateOrders1763700240000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Of the view as it was. First, as all integrations are written below.
      drop index integrations_by_account, integration_statuses_by_fullname, integration_statuses_by_age,
        integration_statuses_by_category, integration_statuses_by_provider;
      alter table integration_status set (fillfactor = 70);
      alter table integration_status
        -- Those of the integration; a row of one that was deleted while calls were counted has none, and is not in lists.
        add column created_at timestamptz,
        add column fullname text,
        add column category text,
        add column provider_type text,
        add column name text collate "C" generated always as (account_id || ',' || integration_id) stored,
        -- The order in which somebody has to act; a status that is not here comes last.
        add column urgency integer generated always as (coalesce(array_position(array['credentials_refused',
          'permission_missing', 'failing', 'unavailable', 'rate_limited', 'healthy', 'new'], status), 8)) stored,
        -- Since 1970.
        add column updated_minute integer generated always as (
          floor(extract(epoch from updated_at at time zone 'UTC') / 60)::integer) stored,
        -- Steps of a twentieth: a greater number never has a smaller rank.
        add column requests_rank integer generated always as (floor(20 * ln(1 + requests::float8))::integer) stored,
        add column failed_rank integer generated always as (floor(20 * ln(1 + failed::float8))::integer) stored;
      create function onefold_keep_integration_state() returns trigger
        language plpgsql set search_path = public
        as $$ begin
          insert into integration_status as s (integration_id, organization_id, account_id, updated_at,
              created_at, fullname, category, provider_type)
            values (new.id, new.organization_id, new.account_id, date_trunc('milliseconds', new.created_at),
              new.created_at, new.fullname, new.category, new.provider_type)
            on conflict (integration_id) do update set created_at = excluded.created_at, fullname = excluded.fullname,
              category = excluded.category, provider_type = excluded.provider_type;
          return null;
        end $$;
      create trigger keep_state after insert on integrations
        for each row execute function onefold_keep_integration_state();
      create trigger keep_changed_state after update on integrations for each row
        when ((new.fullname, new.category, new.provider_type, new.created_at)
          is distinct from (old.fullname, old.category, old.provider_type, old.created_at))
        execute function onefold_keep_integration_state();
      insert into integration_status as s (integration_id, organization_id, account_id, updated_at,
          created_at, fullname, category, provider_type)
        select id, organization_id, account_id, date_trunc('milliseconds', created_at), created_at, fullname, category, provider_type
        from integrations
        -- Responses have milliseconds, and pages begin after what they have.
        on conflict (integration_id) do update set updated_at = date_trunc('milliseconds', s.updated_at),
          created_at = excluded.created_at, fullname = excluded.fullname, category = excluded.category,
          provider_type = excluded.provider_type;
      ${addUsageByMilliseconds}

      -- The names of an integration and its account, to search in.
      alter table integrations add column names text;
      create function onefold_set_integration_names() returns trigger
        language plpgsql set search_path = public
        as $$ begin
          if tg_op = 'INSERT' then
            -- Waits for who renames the account, who does not see this integration yet.
            perform from accounts where id = new.account_id for share;
          end if;
          new.names := concat(new.fullname, ' ', (select fullname from accounts where id = new.account_id));
          return new;
        end $$;
      create trigger set_names before insert on integrations
        for each row execute function onefold_set_integration_names();
      create trigger set_changed_names before update on integrations for each row
        when (new.fullname is distinct from old.fullname) execute function onefold_set_integration_names();
      create function onefold_rename_integrations() returns trigger
        language plpgsql set search_path = public
        as $$ begin
          update integrations set names = concat(fullname, ' ', new.fullname) where account_id = new.id;
          return null;
        end $$;
      create trigger rename_integrations after update on accounts for each row
        when (new.fullname is distinct from old.fullname) execute function onefold_rename_integrations();
      -- No look-up reads them.
      drop trigger tell_update on integrations;
      create trigger tell_update after update on integrations for each row
        when (to_jsonb(old) - array['updated_at', 'names'] is distinct from to_jsonb(new) - array['updated_at', 'names'])
        execute function onefold_tell_change('id');
      update integrations i set names = concat(i.fullname, ' ', a.fullname) from accounts a where a.id = i.account_id;

      create or replace view integration_statuses with (security_invoker = true) as
        select s.integration_id as id, s.name, s.organization_id, s.account_id, s.integration_id, s.status, s.created_at, s.updated_at,
          ${counters
            .split(' ')
            .map((name) => `s.${name}`)
            .join(', ')},
          s.fullname, s.category, s.provider_type, s.urgency, i.names,
          s.updated_minute, s.requests_rank, s.failed_rank
        -- A left join, which PostgreSQL leaves out for who does not search in the names.
        from integration_status s left join integrations i on i.id = s.integration_id
        where s.fullname is not null;
      ${Object.entries(indexes)
        .map(
          ([name, columns]) =>
            `create index integration_status_${name} on integration_status (organization_id, ${columns}) where fullname is not null;`,
        )
        .join('\n')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    const key = `((i.account_id || ',' || i.id) collate "C")`;
    const keyOfIndex = key.replaceAll('i.', '');
    await runner.query(`
      drop view integration_statuses;
      drop trigger rename_integrations on accounts;
      drop trigger set_changed_names on integrations;
      drop trigger set_names on integrations;
      drop trigger keep_changed_state on integrations;
      drop trigger keep_state on integrations;
      drop function onefold_rename_integrations();
      drop function onefold_set_integration_names();
      drop function onefold_keep_integration_state();
      drop trigger tell_update on integrations;
      create trigger tell_update after update on integrations for each row
        when (to_jsonb(old) - array['updated_at'] is distinct from to_jsonb(new) - array['updated_at'])
        execute function onefold_tell_change('id');
      alter table integrations drop column names;
      alter table integration_status drop column name, drop column urgency, drop column updated_minute, drop column requests_rank,
        drop column failed_rank, drop column created_at, drop column fullname, drop column category, drop column provider_type;
      alter table integration_status reset (fillfactor);
      ${addUsageAndLatencies}
      create view integration_statuses with (security_invoker = true) as
        select i.id, ${key} as name, i.organization_id, i.account_id, i.id as integration_id,
          coalesce(s.status, 'new') as status, i.created_at, coalesce(s.updated_at, i.created_at) as updated_at,
          ${counters
            .split(' ')
            .map((name) => `coalesce(s.${name}, 0) as ${name}`)
            .join(', ')},
          i.fullname, i.category, i.provider_type,
          coalesce(array_position(array['credentials_refused', 'permission_missing', 'failing', 'unavailable', 'rate_limited',
            'healthy', 'new'], coalesce(s.status, 'new')), 8) as urgency,
          concat(i.fullname, ' ', a.fullname) as names
        from integrations i
          left join integration_status s on s.integration_id = i.id
          left join accounts a on a.id = i.account_id;
      grant select on integration_statuses to onefold_application;
      create index integrations_by_account on integrations (organization_id, ${keyOfIndex});
      create index integration_statuses_by_fullname on integrations (organization_id, fullname, ${keyOfIndex});
      create index integration_statuses_by_age on integrations (organization_id, created_at, ${keyOfIndex});
      create index integration_statuses_by_category on integrations (organization_id, category, ${keyOfIndex});
      create index integration_statuses_by_provider on integrations (organization_id, provider_type, ${keyOfIndex});
    `);
  }
}
