import { tenantColumns } from '../../tenant-tables.js';
import type { BaselinePart } from './baseline-part.js';

/** Tokens, their secrets, and single sign-on. */
export const access: BaselinePart = {
  sql: `
  create table tokens (${tenantColumns},
    owner_id text not null,
    owner_type text not null,
    member_id text,
    account_id text,
    token_type text not null,
    token_ttl text not null,
    expires timestamptz not null,
    adhoc_role jsonb,
    role_binding text[] not null,
    primary_pair jsonb not null,
    secondary_pair jsonb,
    access_only boolean not null,
    signed_in_by text,
    -- When a secret of it was last used, to the minute.
    last_used_at timestamptz,
    -- The pair a refresh gave out, sealed, for the retries of that refresh.
    renewal jsonb,
    mcp_scope jsonb,
    ends_by timestamptz,
    hook_only boolean not null default false,
    connect_session jsonb,
    unique (organization_id, name)
  );
  create index on tokens (owner_id);
  create index on tokens (member_id);
  create index on tokens (expires) where token_type <> 'default';
  create index on tokens (id) where renewal is not null;
  -- Every secret that ever opened a token, so that a refresh secret that comes back after its time is recognized.
  create table token_secrets (
    hash text primary key,
    token_id text not null,
    organization_id text not null references organizations on delete cascade,
    kind text not null,
    created_at timestamptz not null,
    spent_at timestamptz
  );
  create index on token_secrets (token_id);
  create index on token_secrets (spent_at) where spent_at is not null;
  create table idempotency_keys (
    organization_id text not null references organizations on delete cascade,
    owner_id text not null,
    operation text not null,
    key text not null,
    request_hash text not null,
    reply text,
    created_at timestamptz not null,
    primary key (organization_id, owner_id, operation, key)
  );
  create index on idempotency_keys (created_at);
  create table sso_configurations (${tenantColumns},
    protocol text not null,
    settings jsonb not null,
    sealed text,
    listed boolean not null default false,
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
  -- The one question that is asked before the organization is known; its owner's rights see all rows.
  create function onefold_token_organization(secret_hash text) returns text
    language sql stable security definer set search_path = public
    as $$ select organization_id from token_secrets where hash = secret_hash $$;
  grant execute on function onefold_token_organization(text) to onefold_application;
  create function onefold_spend_secrets() returns trigger
    language plpgsql set search_path = public
    as $$ begin
          update token_secrets set spent_at = now() where token_id = old.id and spent_at is null;
          return null;
        end $$;
  -- Removes what is over, in all organizations and in small steps; several may call it at once, one does it.
  -- The records that an organization or an integration names as its own stay.
  create function onefold_prune() returns table(what text, removed bigint)
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
  -- Waits for nobody: who is changing a token uses it too.
  create function onefold_note_uses(ids text[], at timestamptz) returns void
    language sql security definer set search_path = public, pg_temp
    as $$
          update tokens set last_used_at = at where id in (
            select id from tokens
            where id = any(ids) and (last_used_at is null or last_used_at <= at - interval '1 minute')
            order by id for no key update skip locked);
        $$;
  revoke execute on function onefold_note_uses(text[], timestamptz) from public;
  grant execute on function onefold_note_uses(text[], timestamptz) to onefold_application;
  create function onefold_forget_renewals() returns bigint
    language sql security definer set search_path = public, pg_temp
    as $$
          with forgotten as (
            update tokens set renewal = null
            where renewal is not null and (renewal ->> 'until')::timestamptz < now()
            returning 1
          ) select count(*) from forgotten;
        $$;
  revoke execute on function onefold_forget_renewals() from public;
  grant execute on function onefold_forget_renewals() to onefold_application;
  -- Sign-ons that nobody ended hold who was to sign on: in all organizations, of which some see no other sign-on.
  create function onefold_prune_sign_ons() returns bigint
    language sql security definer set search_path = public, pg_temp
    as $$
          with removed as (delete from sso_sign_ons where expires_at < now() returning 1) select count(*) from removed;
        $$;
  revoke execute on function onefold_prune_sign_ons() from public;
  grant execute on function onefold_prune_sign_ons() to onefold_application;
  create trigger spend_secrets after delete on tokens
    for each row execute function onefold_spend_secrets();
`,
  tables: [
    'tokens',
    'token_secrets',
    'idempotency_keys',
    'sso_configurations',
    'sso_sign_ons',
    'sso_identities',
  ],
};
