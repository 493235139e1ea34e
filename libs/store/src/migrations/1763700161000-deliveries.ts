import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deliveries of events to webhooks, and their attempts, by day. Ids begin with the time of their creation, so a range of ids is a
 * day: a delivery is found by its id in one partition, and a day that is over is dropped whole with its attempts. Deleting rows of
 * 30 days ago one by one would cost as much as writing them did.
 */
export class Deliveries1763700161000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table organization_webhooks
        add column state text not null default 'active',
        add column state_since timestamptz,
        add column state_reason text,
        -- The first failure since the last success, and how many there were.
        add column failing_since timestamptz,
        add column failures integer not null default 0,
        -- No attempt is made before: the receiver asked for it, or failed several times in a row.
        add column resting_until timestamptz,
        -- A worker sends to it until then, at most.
        add column busy_until timestamptz;

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
    `);
    for (const table of ['deliveries', 'delivery_attempts'])
      await runner.query(`
        alter table ${table} enable row level security;
        create policy tenant on ${table} to onefold_application
          using (organization_id = current_setting('onefold.organization_id', true))
          with check (organization_id = current_setting('onefold.organization_id', true));
        grant select, insert, update, delete on ${table} to onefold_application;
      `);
    await runner.query(`
      create function onefold_forget_deliveries() returns trigger
        language plpgsql security definer set search_path = public, pg_temp
        as $$ begin
          delete from delivery_attempts a using deliveries d
            where d.organization_id = old.id and a.delivery_id = d.id;
          delete from deliveries where organization_id = old.id;
          return null;
        end $$;
      create trigger forget_deliveries after delete on organizations
        for each row execute function onefold_forget_deliveries();

      -- The least id of a delivery of a time: 10 characters of base 32 are the 48 bits of milliseconds that a UUIDv7 begins with.
      create function onefold_delivery_bound(at timestamptz) returns text language sql immutable
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
      select onefold_delivery_days(36500);

      -- How much waits, of all organizations, how much of it at paused addresses, and since when the oldest is due.
      create function onefold_delivery_backlog(at timestamptz)
        returns table (waiting bigint, held bigint, oldest_due timestamptz)
        language sql security definer set search_path = public, pg_temp
        as $$
          select count(d.next_attempt_at), count(*) - count(d.next_attempt_at),
            min(d.next_attempt_at) filter (where d.next_attempt_at <= at)
          from deliveries d where d.status = 'waiting'
        $$;
      revoke execute on function onefold_delivery_backlog(timestamptz) from public;
      grant execute on function onefold_delivery_backlog(timestamptz) to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_delivery_backlog(timestamptz);
      drop function onefold_delivery_days(integer);
      drop trigger forget_deliveries on organizations;
      drop function onefold_forget_deliveries();
      drop table delivery_attempts, deliveries;
      alter table organization_webhooks
        drop column state, drop column state_since, drop column state_reason,
        drop column failing_since, drop column failures, drop column resting_until, drop column busy_until;
      drop function onefold_delivery_bound(timestamptz);
    `);
  }
}
