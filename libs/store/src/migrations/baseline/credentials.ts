import { tenantColumns } from '../../tenant-tables.js';
import type { BaselinePart } from './baseline-part.js';

/** Credentials, their keys, and authorizations at providers. */
export const credentials: BaselinePart = {
  sql: `
  create table credentials (${tenantColumns},
    owner_type text not null,
    owner_id text not null,
    account_id text references accounts on delete cascade,
    config_type text not null,
    sealed text not null,
    expires timestamptz,
    managed boolean not null,
    unique (owner_id, name)
  );
  create index on credentials (account_id);
  create index credentials_expires on credentials (organization_id, expires);
  create table data_keys (
    owner_id text primary key,
    organization_id text not null references organizations on delete cascade,
    wrapped text not null,
    created_at timestamptz not null
  );
  create index data_keys_by_key on data_keys (split_part(wrapped, '.', 1));
  create table domain_data_keys (
    owner_id text not null,
    domain text not null,
    organization_id text not null references organizations on delete cascade,
    wrapped text not null,
    created_at timestamptz not null,
    primary key (owner_id, domain)
  );
  create index on domain_data_keys (organization_id);
  create index domain_data_keys_by_key on domain_data_keys (domain, split_part(wrapped, '.', 1));
  create table credential_renewals (
    credential_id text primary key references credentials on delete cascade,
    organization_id text not null references organizations on delete cascade,
    provider text not null,
    client_credential_id text not null,
    -- The origin that issued the refresh token; it goes to no other.
    token_origin text not null,
    sealed text not null,
    -- Counts the renewals, so that a late answer does not replace a later token.
    generation integer not null default 0,
    issued_at timestamptz not null,
    due_at timestamptz,
    expires_at timestamptz,
    claimed_until timestamptz,
    -- Why the provider renews no more: somebody has to authorize anew.
    refused text
  );
  create index on credential_renewals (organization_id);
  create table credential_grants (
    credential_id text primary key references credentials on delete cascade,
    organization_id text not null references organizations on delete cascade,
    provider text not null,
    client_credential_id text not null,
    -- The origin that issued the token; it is given back to no other vendor.
    token_origin text not null,
    -- SHA-256 of the token that was granted: some providers grant the same one again, which then stays. Null for older grants.
    token_hash text
  );
  create index on credential_grants (organization_id);
  create table grant_revocations (
    id text primary key,
    organization_id text not null references organizations on delete cascade,
    -- Names the deleted credential; its tokens, and the secret of the application, are encrypted.
    revocation jsonb not null,
    created_at timestamptz not null
  );
  create index on grant_revocations (organization_id);
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
    expires_at timestamptz not null,
    told jsonb
  );
  create index on connect_authorizations (organization_id, account_id);
  create index on connect_authorizations (expires_at);
  create index on connect_authorizations (client_credential_id);
  create function onefold_key_ids() returns setof text
    language sql stable security definer set search_path = public
    as $$ select distinct split_part(wrapped, '.', 1) from data_keys $$;
  grant execute on function onefold_key_ids() to onefold_application;
  create function onefold_domain_key_ids() returns table(domain text, id text)
    language sql stable security definer set search_path = public
    as $$ select distinct domain, split_part(wrapped, '.', 1) from domain_data_keys $$;
  grant execute on function onefold_domain_key_ids() to onefold_application;
  create function onefold_prune_authorizations() returns bigint
    language sql security definer set search_path = public, pg_temp
    as $$
          with removed as (delete from connect_authorizations where expires_at < now() - interval '1 hour' returning 1)
          select count(*) from removed;
        $$;
  revoke execute on function onefold_prune_authorizations() from public;
  grant execute on function onefold_prune_authorizations() to onefold_application;
`,
  tables: [
    'credentials',
    'data_keys',
    'domain_data_keys',
    'credential_renewals',
    'credential_grants',
    'grant_revocations',
    'connect_authorizations',
  ],
};
