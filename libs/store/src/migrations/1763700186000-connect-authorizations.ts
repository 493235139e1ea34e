import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Authorizations at providers on their way: who began them, and what became of them. */
export class ConnectAuthorizations1763700186000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One row per authorization, kept for minutes.
      create table connect_authorizations (
        id text primary key,
        organization_id text not null references organizations on delete cascade,
        account_id text not null references accounts on delete cascade,
        token_id text not null,
        client_credential_id text not null references credentials on delete cascade,
        provider text not null,
        state_hash text unique,
        sealed text,
        token_origin text not null,
        status text not null default 'pending',
        message text,
        credential_id text,
        missing_scopes jsonb,
        created_at timestamptz not null,
        expires_at timestamptz not null
      );
      create index on connect_authorizations (organization_id, account_id);
      create index on connect_authorizations (expires_at);
      create index on connect_authorizations (client_credential_id);
      alter table connect_authorizations enable row level security;
      create policy tenant on connect_authorizations to onefold_application
        using (organization_id = current_setting('onefold.organization_id', true))
        with check (organization_id = current_setting('onefold.organization_id', true));
      grant select, insert, update, delete on connect_authorizations to onefold_application;
      create function onefold_prune_authorizations() returns bigint
        language sql security definer set search_path = public, pg_temp
        as $$
          with removed as (delete from connect_authorizations where expires_at < now() - interval '1 hour' returning 1)
          select count(*) from removed;
        $$;
      revoke execute on function onefold_prune_authorizations() from public;
      grant execute on function onefold_prune_authorizations() to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop function onefold_prune_authorizations(); drop table connect_authorizations',
    );
  }
}
