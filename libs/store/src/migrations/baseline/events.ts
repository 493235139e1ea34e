import { tenantColumns } from '../../tenant-tables.js';
import type { BaselinePart } from './baseline-part.js';

/** Webhooks in both directions, and deliveries by day. */
export const events: BaselinePart = {
  sql: `
  create table organization_webhooks (${tenantColumns},
    environment text not null,
    filters text[] not null,
    url text not null,
    credential_id text not null,
    state text not null default 'active',
    state_since timestamptz,
    state_reason text,
    -- The first failure since the last success, and how many there were.
    failing_since timestamptz,
    failures integer not null default 0,
    -- No attempt is made before: the receiver asked for it, or failed several times in a row.
    resting_until timestamptz,
    -- A worker sends to it until then, at most.
    busy_until timestamptz,
    unique (organization_id, name)
  );
  -- Partitioned, so without foreign keys: those would lock organizations at each partition made or dropped.
  create table deliveries (
    id text collate "C" primary key,
    name text collate "C" generated always as (id) stored,
    organization_id text not null,
    endpoint_id text not null,
    account_id text,
    integration_id text,
    event text not null,
    -- The bytes that are signed and sent, the same at every attempt.
    payload text not null,
    status text not null,
    reason text,
    attempts integer not null default 0,
    -- Failures since it was created or replayed; the next wait depends on them.
    failures integer not null default 0,
    -- Null while it waits at a paused address.
    next_attempt_at timestamptz,
    expires_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  ) partition by range (id);
  create index on deliveries (organization_id, endpoint_id, name);
  create index on deliveries (endpoint_id, next_attempt_at) where status = 'waiting';
  create table delivery_attempts (
    delivery_id text collate "C" not null,
    number integer not null,
    organization_id text not null,
    started_at timestamptz not null,
    -- Microseconds.
    duration bigint not null,
    status_code integer,
    reason text,
    error text,
    response text,
    primary key (delivery_id, number)
  ) partition by range (delivery_id);
  create table integration_webhooks (${tenantColumns},
    account_id text not null references accounts on delete cascade,
    integration_id text not null references integrations on delete cascade,
    project text not null,
    -- The id at the provider; null where it is made by hand.
    provider_id text,
    token_id text not null,
    -- Both encrypted: the token in the address, and the secret that signs.
    token text not null,
    secret text not null,
    events text[] not null,
    creator text not null,
    unique (integration_id, name),
    unique (integration_id, project)
  );
  create table webhook_receivers (${tenantColumns},
    account_id text not null references accounts on delete cascade,
    integration_id text not null references integrations on delete cascade,
    url text not null,
    state text not null default 'active',
    state_since timestamptz,
    state_reason text,
    failing_since timestamptz,
    failures integer not null default 0,
    resting_until timestamptz,
    busy_until timestamptz,
    unique (integration_id, name),
    unique (integration_id, url)
  );
  -- Messages that were taken in, so that one which comes again is delivered once.
  create table hook_messages (
    integration_id text not null references integrations on delete cascade,
    message text not null,
    organization_id text not null references organizations on delete cascade,
    received_at timestamptz not null,
    primary key (integration_id, message)
  );
  create index on hook_messages (integration_id, received_at);
  create table webhook_removals (
    -- The id that the webhook had.
    id text primary key,
    organization_id text not null references organizations on delete cascade,
    -- The integration as connectors get it; its credentials, and the secrets of the webhook, are encrypted.
    integration jsonb not null,
    webhook jsonb not null,
    created_at timestamptz not null
  );
  create index on webhook_removals (organization_id);
  create function onefold_forget_deliveries() returns trigger
    language plpgsql security definer set search_path = public, pg_temp
    as $$ begin
          delete from delivery_attempts a using deliveries d
            where d.organization_id = old.id and a.delivery_id = d.id;
          delete from deliveries where organization_id = old.id;
          return null;
        end $$;
  -- The least id of a delivery of a time: 10 characters of base 32 are the 48 bits of milliseconds that a UUIDv7 begins with.
  create function onefold_delivery_bound(at timestamptz) returns text
    language sql immutable
    as $$
          select 'dlv_' || string_agg(
            substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (45 - 5 * i)) & 31)::integer + 1, 1), '' order by i)
          from (select floor(extract(epoch from at) * 1000)::bigint as ms) t, generate_series(0, 9) i
        $$;
  -- Makes the days to come, drops those that ended more than so many days ago, and ends what waits at a paused address for too
  -- long. As the owner: the services may not. Several may call it at once, one does it.
  create function onefold_delivery_days(keep_days integer) returns setof text
    language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
    as $$
        declare
          day timestamptz;
          part text;
          base text;
          ended bigint;
        begin
          if not pg_try_advisory_xact_lock(7091608) then return; end if;
          foreach base in array array['deliveries', 'delivery_attempts'] loop
            for ahead in -1..7 loop
              day := date_trunc('day', now(), 'UTC') + make_interval(days => ahead);
              part := base || '_' || to_char(day at time zone 'UTC', 'YYYY_MM_DD');
              continue when to_regclass('public.' || part) is not null;
              execute format('create table %I (like %I including generated)', part, base);
              execute format('alter table %I attach partition %I for values from (%L) to (%L)',
                base, part, onefold_delivery_bound(day), onefold_delivery_bound(day + interval '1 day'));
              return next 'created ' || part;
            end loop;
            for part in
              select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
              where i.inhparent = base::regclass order by 1
            loop
              day := (to_date(right(part, 10), 'YYYY_MM_DD') + interval '1 day') at time zone 'UTC';
              continue when day > now() - make_interval(days => greatest(keep_days, 4));
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
          end loop;
          update deliveries set status = 'failed', reason = 'expired', next_attempt_at = null, updated_at = now()
            where status = 'waiting' and expires_at < now() - interval '1 minute';
          get diagnostics ended = row_count;
          if ended > 0 then return next 'ended ' || ended || ' deliveries'; end if;
        end $$;
  revoke execute on function onefold_delivery_days(integer) from public;
  grant execute on function onefold_delivery_days(integer) to onefold_application;
  -- How much waits, of all organizations, how much of it at paused addresses, and since when the oldest is due.
  create function onefold_delivery_backlog(at timestamptz) returns table(waiting bigint, held bigint, oldest_due timestamptz)
    language sql security definer set search_path = public, pg_temp
    as $$
          select count(d.next_attempt_at), count(*) - count(d.next_attempt_at),
            min(d.next_attempt_at) filter (where d.next_attempt_at <= at)
          from deliveries d where d.status = 'waiting'
        $$;
  revoke execute on function onefold_delivery_backlog(timestamptz) from public;
  grant execute on function onefold_delivery_backlog(timestamptz) to onefold_application;
  create trigger forget_deliveries after delete on organizations
    for each row execute function onefold_forget_deliveries();
  select onefold_delivery_days(36500);
`,
  tables: [
    'organization_webhooks',
    'deliveries',
    'delivery_attempts',
    'integration_webhooks',
    'webhook_receivers',
    'hook_messages',
    'webhook_removals',
  ],
};
