import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables, tenantColumns } from '../tenant-tables.js';

/** Roles, and what members log on with. */
export class Identity1763700010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table roles (${tenantColumns},
        description text,
        resources jsonb,
        permission_set text not null,
        unique (organization_id, name)
      );
      alter table members
        add nickname text,
        add picture text,
        add ttl text not null default '87600h',
        add token_ttl text not null default '1h',
        add expires timestamptz,
        add pin_expires timestamptz,
        add last_logon timestamptz not null default 'epoch',
        add locked_until timestamptz,
        add state_before_lock text;
      update members set expires = created_at + interval '87600 hours', pin_expires = created_at + interval '4320 hours';
      alter table members alter expires set not null, alter pin_expires set not null;
      create index on members (locked_until) where locked_until is not null;
      alter table tokens add signed_in_by text;
      create index on tokens (member_id);

      -- The newest is the password; those before it are not taken again.
      create table member_secrets (
        member_id text not null references members on delete cascade,
        organization_id text not null references organizations on delete cascade,
        position bigint generated always as identity,
        hash text not null,
        created_at timestamptz not null,
        primary key (member_id, position)
      );
      -- Also of names that nobody has: the answers must not tell which there are.
      create table logon_attempts (
        organization_id text not null references organizations on delete cascade,
        name text not null,
        failures integer not null,
        until timestamptz not null,
        primary key (organization_id, name)
      );
      create index on logon_attempts (organization_id, until);

      -- Who logs on names an organization before it is known who asks.
      create function onefold_organization(id_or_name text) returns text
        language sql stable security definer set search_path = public
        as $$ select id from organizations where id = id_or_name or name = id_or_name
              order by id = id_or_name desc limit 1 $$;
      grant execute on function onefold_organization(text) to onefold_application;
    `);
    await protectTenantTables(runner, ['roles', 'member_secrets', 'logon_attempts']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_organization(text);
      drop table logon_attempts, member_secrets, roles;
      alter table tokens drop signed_in_by;
      alter table members drop nickname, drop picture, drop ttl, drop token_ttl, drop expires, drop pin_expires,
        drop last_logon, drop locked_until, drop state_before_lock;
    `);
  }
}
