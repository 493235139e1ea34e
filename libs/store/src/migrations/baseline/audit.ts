import type { BaselinePart } from './baseline-part.js';

/** Records of the audit, by month. */
export const audit: BaselinePart = {
  sql: `
  create table audit_records (
    organization_id text not null,
    created_at timestamptz not null,
    request_id text,
    environment text not null,
    remote_addr text not null,
    user_agent text not null,
    audit_type text not null,
    method text not null,
    path text not null,
    code text not null,
    body jsonb,
    response text,
    status text,
    member_id text,
    account_id text,
    integration_id text,
    bridge_group_id text,
    primary key (organization_id, created_at)
  ) partition by range (created_at);
  create index on audit_records (organization_id, account_id, created_at) where account_id is not null;
  -- Instead of a foreign key, which would lock the organization's row at every call.
  create function onefold_forget_audit() returns trigger
    language plpgsql security definer set search_path = public, pg_temp
    as $$ begin
          delete from audit_records where organization_id = old.id;
          return null;
        end $$;
  -- Adds records under the caller's rights. No two of an organization have the same time, so that it can page by time;
  -- the lock, held to the end of the transaction, is how a reader knows that no earlier one is still to come.
  create function onefold_audit(organization text, entries jsonb) returns setof timestamptz
    language plpgsql set search_path = public
    as $$
        declare
          entry jsonb;
          at timestamptz := '-infinity';
        begin
          -- Callers without a token name organizations that may not exist.
          if not exists (select from organizations where id = organization) then return; end if;
          perform pg_advisory_xact_lock_shared(7091605, hashtext(organization));
          for entry in select value from jsonb_array_elements(entries) loop
            at := greatest(clock_timestamp(), at + interval '1 microsecond');
            loop
              insert into audit_records values (
                organization, at, entry ->> 'request_id',
                coalesce(
                  entry ->> 'environment',
                  (select a.environment from accounts a
                    where a.organization_id = organization and a.id = entry ->> 'account_id'),
                  'organization'
                ),
                entry ->> 'remote_addr', entry ->> 'user_agent', entry ->> 'audit_type', entry ->> 'method',
                entry ->> 'path', entry ->> 'code', nullif(entry -> 'body', 'null'), entry ->> 'response', entry ->> 'status',
                entry ->> 'member_id', entry ->> 'account_id', entry ->> 'integration_id', entry ->> 'bridge_group_id'
              ) on conflict do nothing;
              exit when found;
              at := at + interval '1 microsecond';
            end loop;
            return next at;
          end loop;
        end $$;
  -- A call may change something and fail later: its record was written with the change. Only how a call of the last
  -- minutes ended can be told anew, and what it was about.
  create function onefold_audit_ended(organization text, at timestamptz, entry jsonb) returns void
    language sql security definer set search_path = public, pg_temp
    as $$
          update audit_records set
            audit_type = entry ->> 'audit_type', code = entry ->> 'code', status = entry ->> 'status',
            response = entry ->> 'response', account_id = entry ->> 'account_id',
            integration_id = entry ->> 'integration_id', bridge_group_id = entry ->> 'bridge_group_id',
            environment = coalesce(entry ->> 'environment', environment)
          where organization_id = organization and created_at = at and request_id = entry ->> 'request_id'
            and organization = current_setting('onefold.organization_id', true)
            and created_at > now() - interval '15 minutes' and audit_type in ('API', 'ERROR');
        $$;
  revoke execute on function onefold_audit_ended(text, timestamptz, jsonb) from public;
  grant execute on function onefold_audit_ended(text, timestamptz, jsonb) to onefold_application;
  -- The moment before which every record of the organization is there: waits for those on their way.
  create function onefold_audit_horizon(organization text) returns timestamptz
    language plpgsql
    as $$ begin
          perform pg_advisory_xact_lock(7091605, hashtext(organization));
          return clock_timestamp();
        end $$;
  -- Makes the months to come and drops those that ended more than so many days ago. As the owner: the services may not.
  -- Several may call it at once, one does it. A month is attached, not created in place, and dropped with patience,
  -- so that calls go on.
  create function onefold_audit_months(keep_days integer) returns setof text
    language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
    as $$
        declare
          month timestamptz;
          part text;
        begin
          if not pg_try_advisory_xact_lock(7091606) then return; end if;
          for ahead in 0..3 loop
            month := date_trunc('month', now(), 'UTC') + make_interval(months => ahead);
            part := 'audit_records_' || to_char(month at time zone 'UTC', 'YYYY_MM');
            continue when to_regclass('public.' || part) is not null;
            execute format('create table %I (like audit_records)', part);
            execute format('alter table audit_records attach partition %I for values from (%L) to (%L)',
              part, month, date_trunc('month', month + interval '40 days', 'UTC'));
            return next 'created ' || part;
          end loop;
          for part in
            select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
            where i.inhparent = 'audit_records'::regclass order by 1
          loop
            month := (to_date(right(part, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC';
            continue when month > now() - make_interval(days => greatest(keep_days, 1));
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
  revoke execute on function onefold_audit_months(integer) from public;
  grant execute on function onefold_audit_months(integer) to onefold_application;
  create trigger forget_audit after delete on organizations
    for each row execute function onefold_forget_audit();
  select onefold_audit_months(36500);
`,
  tables: [],
  limited: { audit_records: 'select, insert' },
};
