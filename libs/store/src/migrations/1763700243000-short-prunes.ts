import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Expired rows are removed by one step for each call, so that a transaction locks at most 5,000 rows of a table, and not for 15 seconds. */
export class ShortPrunes1763700243000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(pruneBy('steps constant integer := 1;'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(pruneBy('steps constant integer := 40;'));
  }
}

const tables = [
  ['idempotency_keys', "created_at < now() - interval '24 hours'"],
  ['tokens', "token_type <> 'default' and expires < now() - interval '30 days'"],
  ['token_secrets', "spent_at < now() - interval '30 days'"],
] as const;

function pruneBy(steps: string): string {
  const removals = tables.map(
    ([table, condition]) => `
          what := '${table}'; removed := 0;
          for i in 1..steps loop
            delete from ${table} where ctid in (
              select ctid from ${table} where ${condition} limit step for update skip locked);
            get diagnostics removed_now = row_count;
            removed := removed + removed_now;
            exit when removed_now < step or clock_timestamp() > now() + most;
          end loop;
          if removed > 0 then return next; end if;`,
  );
  return `
      create or replace function onefold_prune() returns table(what text, removed bigint)
        language plpgsql security definer set search_path = public, pg_temp
        as $$
        declare
          step constant integer := 5000;
          ${steps}
          most constant interval := '15 seconds'; -- the rest next time
          removed_now bigint;
        begin
          if not pg_try_advisory_xact_lock(7091607) then return; end if;${removals.join('')}
        end $$;`;
}
