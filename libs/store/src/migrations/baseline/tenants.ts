import { tenantColumns } from '../../tenant-tables.js';
import type { BaselinePart } from './baseline-part.js';

/** Organizations, their members with roles, and accounts. */
export const tenants: BaselinePart = {
  sql: `
  create table organizations (
    id text primary key,
    name text not null unique,
    fullname text not null,
    organization_type text not null,
    refresh_token_id text not null,
    contact text,
    reply_to text,
    picture text,
    options jsonb,
    state text,
    end_date date,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    parent_id text references organizations on delete cascade
  );
  create index on organizations (parent_id) where parent_id is not null;
  create table members (${tenantColumns},
    type text not null,
    state text not null,
    role_binding text[] not null,
    nickname text,
    picture text,
    ttl text not null default '87600h',
    token_ttl text not null default '1h',
    expires timestamptz not null,
    pin_expires timestamptz not null,
    last_logon timestamptz not null default '1970-01-01 00:00:00+00',
    locked_until timestamptz,
    state_before_lock text,
    unique (organization_id, name)
  );
  create index on members (locked_until) where locked_until is not null;
  create table roles (${tenantColumns},
    description text,
    resources jsonb,
    permission_set text not null,
    unique (organization_id, name)
  );
  -- The newest is the password; those before it are not taken again.
  create table member_secrets (
    member_id text not null references members on delete cascade,
    organization_id text not null references organizations on delete cascade,
    position bigint generated always as identity,
    hash text not null,
    created_at timestamptz not null,
    primary key (member_id, "position")
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
  create table accounts (${tenantColumns},
    environment text not null,
    labels text[] not null,
    unique (organization_id, name)
  );
  create index accounts_by_age on accounts (organization_id, created_at, name);
  -- The labels of accounts, one by one: see libs/store/src/limits.ts.
  create table account_labels (
    organization_id text not null,
    label text collate "C" not null,
    account_id text not null references accounts on delete cascade,
    primary key (organization_id, label, account_id)
  );
  create index on account_labels (account_id);
  -- Who logs on names an organization before it is known who asks.
  create function onefold_organization(id_or_name text) returns text
    language sql stable security definer set search_path = public
    as $$ select id from organizations where id = id_or_name or name = id_or_name
              order by id = id_or_name desc limit 1 $$;
  grant execute on function onefold_organization(text) to onefold_application;
  create function onefold_keep_account_labels() returns trigger
    language plpgsql set search_path = public
    as $$ begin
          if tg_op = 'UPDATE' then delete from account_labels where account_id = old.id; end if;
          insert into account_labels
            select distinct new.organization_id, label, new.id from unnest(new.labels) label;
          return null;
        end $$;
  -- A read under an organization in one round trip: begin, setting, statement and commit took four. It runs with the
  -- caller's rights, behind the same policies; the parameters are one array, the first is $1 ->> 0.
  create function onefold_read(reads jsonb) returns table(read integer, "row" jsonb)
    language plpgsql set search_path = public
    as $$ declare one jsonb; at integer := 0; begin
          for one in select value from jsonb_array_elements(reads) loop
            perform set_config('onefold.organization_id', one ->> 0, true);
            return query execute 'select $2, to_jsonb(r) from (' || (one ->> 1) || ') r' using one -> 2, at;
            at := at + 1;
          end loop;
        end $$;
  create trigger keep_labels after insert on accounts
    for each row when (new.labels <> '{}') execute function onefold_keep_account_labels();
  create trigger keep_changed_labels after update of labels on accounts
    for each row when (new.labels is distinct from old.labels) execute function onefold_keep_account_labels();
  alter table organizations enable row level security;
  create policy tenant on organizations to onefold_application
    using (id = current_setting('onefold.organization_id', true))
    with check (id = current_setting('onefold.organization_id', true));
  create policy sub_organizations on organizations for select to onefold_application
    using (parent_id = current_setting('onefold.organization_id', true));
  create policy delete_sub_organizations on organizations for delete to onefold_application
    using (parent_id = current_setting('onefold.organization_id', true));
  create policy delete_no_other on organizations as restrictive for delete to onefold_application
    using (parent_id = current_setting('onefold.organization_id', true));
  grant select, insert, update, delete on organizations to onefold_application;
`,
  tables: ['members', 'roles', 'member_secrets', 'logon_attempts', 'accounts'],
  limited: { account_labels: 'select, insert, delete' },
};
