import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the removal of expired rows; spent secrets stay known for a while. */
export class Upkeep1763700042000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tokens
        -- When a secret of it was last used, to the minute.
        add column last_used_at timestamptz,
        -- The pair a refresh gave out, sealed, for the retries of that refresh.
        add column renewal jsonb;
      create index on tokens (expires) where token_type <> 'default';

      -- The hashes of a deleted token stay: who comes back with one of its secrets is known to hold a revoked one.
      alter table token_secrets
        drop constraint token_secrets_token_id_fkey,
        add column spent_at timestamptz;
      create index on token_secrets (spent_at) where spent_at is not null;
      create function onefold_spend_secrets() returns trigger
        language plpgsql set search_path = public
        as $$ begin
          update token_secrets set spent_at = now() where token_id = old.id and spent_at is null;
          return null;
        end $$;
      create trigger spend_secrets after delete on tokens
        for each row execute function onefold_spend_secrets();

      -- Removes what is over, in all organizations and in small steps; several may call it at once, one does it.
      -- The records that an organization or an integration names as its own stay.
      create function onefold_prune() returns table (what text, removed bigint)
        language plpgsql security definer set search_path = public, pg_temp
        as $$
        declare
          step constant integer := 5000;
          steps constant integer := 40;
          most constant interval := '15 seconds'; -- the rest next time
          removed_now bigint;
        begin
          if not pg_try_advisory_xact_lock(7091607) then return; end if;
          what := 'idempotency_keys'; removed := 0;
          for i in 1..steps loop
            delete from idempotency_keys where ctid in (
              select ctid from idempotency_keys where created_at < now() - interval '24 hours' limit step for update skip locked);
            get diagnostics removed_now = row_count;
            removed := removed + removed_now;
            exit when removed_now < step or clock_timestamp() > now() + most;
          end loop;
          if removed > 0 then return next; end if;
          what := 'tokens'; removed := 0;
          for i in 1..steps loop
            delete from tokens where ctid in (
              select ctid from tokens where token_type <> 'default' and expires < now() - interval '30 days'
              limit step for update skip locked);
            get diagnostics removed_now = row_count;
            removed := removed + removed_now;
            exit when removed_now < step or clock_timestamp() > now() + most;
          end loop;
          if removed > 0 then return next; end if;
          what := 'token_secrets'; removed := 0;
          for i in 1..steps loop
            delete from token_secrets where ctid in (
              select ctid from token_secrets where spent_at < now() - interval '30 days' limit step for update skip locked);
            get diagnostics removed_now = row_count;
            removed := removed + removed_now;
            exit when removed_now < step or clock_timestamp() > now() + most;
          end loop;
          if removed > 0 then return next; end if;
        end $$;
      revoke execute on function onefold_prune() from public;
      grant execute on function onefold_prune() to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_prune();
      drop trigger spend_secrets on tokens;
      drop function onefold_spend_secrets();
      delete from token_secrets s where not exists (select from tokens t where t.id = s.token_id);
      alter table token_secrets
        drop column spent_at,
        add foreign key (token_id) references tokens on delete cascade;
      alter table tokens drop column last_used_at, drop column renewal;
    `);
  }
}
