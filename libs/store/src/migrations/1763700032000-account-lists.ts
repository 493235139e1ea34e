import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of many accounts: by label, and newest first. */
export class AccountLists1763700032000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index accounts_by_age on accounts (organization_id, created_at, name);
      -- The labels of accounts, one by one: see libs/store/src/limits.ts.
      create table account_labels (
        organization_id text not null,
        label text collate "C" not null,
        account_id text not null references accounts on delete cascade,
        primary key (organization_id, label, account_id)
      );
      create index on account_labels (account_id);
      alter table account_labels enable row level security;
      create policy tenant on account_labels to onefold_application
        using (organization_id = current_setting('onefold.organization_id', true))
        with check (organization_id = current_setting('onefold.organization_id', true));
      grant select, insert, delete on account_labels to onefold_application;
      insert into account_labels
        select distinct organization_id, label, id from accounts, unnest(labels) label;
      create function onefold_keep_account_labels() returns trigger language plpgsql set search_path = public
        as $$ begin
          if tg_op = 'UPDATE' then delete from account_labels where account_id = old.id; end if;
          insert into account_labels
            select distinct new.organization_id, label, new.id from unnest(new.labels) label;
          return null;
        end $$;
      create trigger keep_labels after insert on accounts for each row
        when (new.labels <> '{}') execute function onefold_keep_account_labels();
      create trigger keep_changed_labels after update of labels on accounts for each row
        when (new.labels is distinct from old.labels) execute function onefold_keep_account_labels();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger keep_changed_labels on accounts;
      drop trigger keep_labels on accounts;
      drop function onefold_keep_account_labels();
      drop table account_labels;
      drop index accounts_by_age;
    `);
  }
}
