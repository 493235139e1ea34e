import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Single sign-on: the identity providers, sign-ons on their way, and who signs on by which identity. */
export class Sso1763700050000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table sso_configurations (
        id text primary key,
        organization_id text not null references organizations on delete cascade,
        name text collate "C" not null,
        fullname text not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        protocol text not null,
        settings jsonb not null,
        sealed text,
        unique (organization_id, name)
      );
      -- One row per sign-on from its start to its end, minutes at most.
      create table sso_sign_ons (
        id text primary key,
        organization_id text not null references organizations on delete cascade,
        sso_id text not null references sso_configurations on delete cascade,
        browser_hash text not null,
        remote_address text not null,
        sealed text,
        return_to text,
        return_state text,
        attempts integer not null default 0,
        answered_at timestamptz,
        identity jsonb,
        code_hash text unique,
        created_at timestamptz not null,
        expires_at timestamptz not null
      );
      create index on sso_sign_ons (organization_id, expires_at);
      create index on sso_sign_ons (sso_id);
      create table sso_identities (
        sso_id text not null references sso_configurations on delete cascade,
        subject text not null,
        organization_id text not null references organizations on delete cascade,
        member_id text not null references members on delete cascade,
        created_at timestamptz not null,
        primary key (sso_id, subject),
        unique (sso_id, member_id)
      );
      create index on sso_identities (member_id);
    `);
    for (const table of ['sso_configurations', 'sso_sign_ons', 'sso_identities'])
      await runner.query(`
        alter table ${table} enable row level security;
        create policy tenant on ${table} to onefold_application
          using (organization_id = current_setting('onefold.organization_id', true))
          with check (organization_id = current_setting('onefold.organization_id', true));
        grant select, insert, update, delete on ${table} to onefold_application;
      `);
    await runner.query(`
      -- Sign-ons that nobody ended hold who was to sign on: in all organizations, of which some see no other sign-on.
      create function onefold_prune_sign_ons() returns bigint
        language sql security definer set search_path = public, pg_temp
        as $$
          with removed as (delete from sso_sign_ons where expires_at < now() returning 1) select count(*) from removed;
        $$;
      revoke execute on function onefold_prune_sign_ons() from public;
      grant execute on function onefold_prune_sign_ons() to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_prune_sign_ons();
      drop table sso_identities, sso_sign_ons, sso_configurations;
    `);
  }
}
