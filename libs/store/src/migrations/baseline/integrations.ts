import { tenantColumns } from '../../tenant-tables.js';
import type { BaselinePart } from './baseline-part.js';

/** Integrations, the documents and bridges that they use, and what connectors and fakes store for them. */
export const integrations: BaselinePart = {
  sql: `
  create table integration_points (${tenantColumns},
    description text,
    connector text not null,
    environments jsonb not null,
    mappings jsonb,
    additional_mappings jsonb,
    scheduled_operations jsonb,
    built_in boolean not null default false,
    constraint integration_points_names unique (organization_id, name, built_in)
  );
  create table integrations (${tenantColumns},
    account_id text not null references accounts on delete cascade,
    category text not null,
    provider_type text not null,
    provider_fullname text not null,
    provider_config jsonb not null,
    integration_point_id text references integration_points,
    refresh_token_id text not null,
    bridge_selector jsonb,
    webhook_config jsonb,
    mappings jsonb,
    additional_mappings jsonb,
    scheduled_operations jsonb,
    unique (account_id, name)
  );
  create index on integrations (organization_id, name);
  create index on integrations (integration_point_id);
  create index integrations_by_account on integrations (organization_id, (account_id || ',' || id) collate "C");
  create table mappings (${tenantColumns},
    data text not null,
    version integer not null,
    unique (organization_id, name)
  );
  create table customs (${tenantColumns},
    data text not null,
    providers text[] not null,
    unique (organization_id, name)
  );
  create table bridges (${tenantColumns},
    account_id text not null references accounts on delete cascade,
    description text,
    labels text[],
    public_key jsonb not null,
    unique (account_id, name)
  );
  create table bridge_agents (
    organization_id text not null references organizations on delete cascade,
    bridge_id text not null references bridges on delete cascade,
    -- The fingerprint of the agent's own key.
    key text not null,
    -- The process of the agent, and its connection.
    instance text not null,
    session text not null,
    facts jsonb not null,
    stats jsonb,
    response_ms double precision,
    created_at timestamptz not null,
    connected_at timestamptz not null,
    -- When its gateway last told of it.
    seen_at timestamptz not null,
    -- Null while it is connected.
    disconnected_at timestamptz,
    primary key (bridge_id, key)
  );
  create index on bridge_agents (organization_id);
  create table provider_tokens (
    organization_id text not null references organizations on delete cascade,
    key text not null,
    sealed text,
    expires_at timestamptz,
    claimed_until timestamptz,
    primary key (organization_id, key)
  );
  create table provider_rates (
    organization_id text not null references organizations on delete cascade,
    key text not null,
    period_start timestamptz not null,
    used integer not null,
    used_by_jobs integer not null default 0,
    primary key (organization_id, key)
  );
  create table provider_leases (
    organization_id text not null references organizations on delete cascade,
    key text not null,
    holder uuid not null,
    until timestamptz not null,
    primary key (organization_id, key, holder)
  );
  create table mock_records (
    integration_id text not null references integrations on delete cascade,
    organization_id text not null references organizations on delete cascade,
    collection text not null,
    id text not null,
    position bigint generated always as identity,
    record jsonb not null,
    primary key (integration_id, collection, id)
  );
  create table fake_states (
    integration_id text primary key references integrations on delete cascade,
    organization_id text not null references organizations on delete cascade,
    -- Counts the requests that changed something: a process reads the entries after the version it has.
    version bigint not null default 0,
    newest bigint not null
  );
  create index on fake_states (organization_id);
  create table fake_entries (
    integration_id text not null references fake_states on delete cascade,
    organization_id text not null,
    collection text not null,
    id text not null,
    version bigint not null,
    entry jsonb not null,
    primary key (integration_id, collection, id)
  );
  create index on fake_entries (integration_id, version);
  create table fake_files (
    integration_id text not null references integrations on delete cascade,
    organization_id text not null references organizations on delete cascade,
    id text not null,
    bytes bigint not null default 0,
    -- Null while a record refers to it.
    expires_at timestamptz,
    primary key (integration_id, id)
  );
  create index on fake_files (organization_id);
  create table fake_file_parts (
    integration_id text not null,
    organization_id text not null,
    file_id text not null,
    part integer not null,
    content bytea not null,
    primary key (integration_id, file_id, part),
    foreign key (integration_id, file_id) references fake_files on delete cascade
  );
`,
  tables: [
    'integration_points',
    'integrations',
    'mappings',
    'customs',
    'bridges',
    'bridge_agents',
    'provider_tokens',
    'provider_rates',
    'provider_leases',
    'mock_records',
    'fake_states',
    'fake_entries',
    'fake_files',
    'fake_file_parts',
  ],
};
