import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs have the account of their job, so that the next one is found without reading all that wait. */
export class JobTurns1763700221000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table operation_runs add account_id text collate "C";
      -- By a trigger, so that processes of the version before need not know the column.
      create function onefold_run_account() returns trigger
        language plpgsql set search_path = public
        as $$ begin
          select o.account_id into new.account_id from operations o where o.id = new.operation_id;
          return new;
        end $$;
      create trigger run_account before insert on operation_runs
        for each row execute function onefold_run_account();
      update operation_runs r set account_id = o.account_id from operations o where o.id = r.operation_id;
      create index operation_runs_waiting on operation_runs
        (organization_id, account_id, (coalesce(waiting_since, created_at)), id) where admitted_at is null;
      create index operation_runs_admitted on operation_runs
        (organization_id, (coalesce(waiting_since, '-infinity'::timestamptz))) where admitted_at is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger run_account on operation_runs;
      drop function onefold_run_account();
      alter table operation_runs drop account_id;
    `);
  }
}
