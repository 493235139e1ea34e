import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Budgets of credentials at providers. Integrations of different organizations that hold the same credential share one, so a row belongs to
 * none of them: services read and write it by its key, a keyed hash of the credential, and cannot list them.
 */
export class ProviderBudgets1763700201000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table provider_budgets (
        key text primary key,
        state jsonb not null,
        used_at timestamptz not null
      ) with (fillfactor = 50);
      create index on provider_budgets (used_at);
      alter table provider_budgets enable row level security;
    `);
    await runner.query(`
      create function onefold_lock_budget(budget text, out state jsonb, out now_ms float8)
        language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        perform pg_advisory_xact_lock(hashtextextended('budget ' || budget, 0));
        select b.state into state from provider_budgets b where b.key = budget;
        now_ms := extract(epoch from clock_timestamp()) * 1000;
      end $$;
      create function onefold_save_budget(budget text, shares jsonb) returns void
        language sql security definer set search_path = public, pg_temp as $$
        insert into provider_budgets (key, state, used_at) values (budget, shares, clock_timestamp())
        on conflict (key) do update set state = excluded.state, used_at = excluded.used_at
      $$;
      create function onefold_prune_budgets() returns void
        language sql security definer set search_path = public, pg_temp as $$
        delete from provider_budgets where used_at < clock_timestamp() - interval '2 days'
      $$;
    `);
    for (const call of [
      'onefold_lock_budget(text)',
      'onefold_save_budget(text, jsonb)',
      'onefold_prune_budgets()',
    ]) {
      await runner.query(`revoke all on function ${call} from public`);
      await runner.query(`grant execute on function ${call} to onefold_application`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_prune_budgets();
      drop function onefold_save_budget(text, jsonb);
      drop function onefold_lock_budget(text);
      drop table provider_budgets;
    `);
  }
}
