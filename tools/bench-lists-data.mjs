// The rows that `npm run bench -- lists` and `npm run bench -- soak` read: made by SQL, much faster than by calls.

/** Id of a row that was made, as `acc_…` with its number. */
export function idOf(prefix, number) {
  return `${prefix}_${String(number).padStart(26, '0')}`;
}

const id = (prefix, number) => `'${prefix}_' || lpad((${number})::text, 26, '0')`;
const dayMs = 86_400_000;

/**
 * Fills the database with accounts, integrations with their states, records of the audit trail, jobs, calls and deliveries of the only organization.
 * @param {import('pg').Client} owner
 * @param {{ accounts: number, integrations: number, audit: number }} sizes
 */
export async function fillLists(owner, { accounts, integrations, audit }) {
  const { rows } = await owner.query('select id from organizations limit 1');
  const organization = rows[0].id;
  const run = async (text, ...more) => void (await owner.query(text, [organization, ...more]));
  await owner.query('set synchronous_commit = off');
  await owner.query('set session_replication_role = replica'); // neither foreign keys nor triggers
  await fillAccounts(owner, organization, accounts);
  await run(
    `insert into integrations (id, organization_id, name, fullname, account_id, category, provider_type, provider_fullname,
       provider_config, refresh_token_id, created_at, updated_at, names)
     select ${id('int', 'n')}, $1, 'integration-' || lpad(n::text, 8, '0'), 'Integration ' || n, ${id('acc', 'n')},
       (array['ticketing', 'identity', 'edr', 'siem', 'sink'])[1 + n % 5], case when n % ($2::int / 10) = 0 then 'ticketing_rare' else 'ticketing_' || n % 20 end,
       'Provider', '{"type": "ticketing_mock_ticketing"}', ${id('tok', 'n')}, now() - n * interval '1 second', now(),
       'Integration ' || n || ' Account ' || n
     from generate_series(1, $2::int) n`,
    integrations,
  );
  // One of ten was never called.
  await run(
    `insert into integration_status (integration_id, organization_id, account_id, status, updated_at, requests, failed, created_at, fullname,
       category, provider_type)
     select id, $1, account_id, case when n % 10 = 3 then 'new' when n % 1000 = 0 then 'credentials_refused' when n % 100 = 0 then 'failing' else 'healthy' end,
       date_trunc('milliseconds', now()) - (n::bigint * 7919 % 100003) * interval '1 second', case when n % 10 = 3 then 0 else n::bigint * 7919 % 100003 end,
       case when n % 10 = 3 then 0 else n % 100 end, created_at, fullname, category, provider_type
     from (select *, right(id, 26)::int as n from integrations) i where $2::int > 0`,
    integrations,
  );
  await run(
    `insert into integration_events (organization_id, account_id, integration_id, name, created_at, status, request)
     select $1, ${id('acc', 'n')}, ${id('int', 'n')}, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), at, 'healthy', n
     from generate_series(1, $2::int) n, lateral (select now() - e * interval '1 hour' as at from generate_series(1, 5) e) t`,
    integrations,
  );
  await fillAudit(owner, organization, audit);
  await fillJobs(run, integrations);
  await fillByDay(owner, organization, integrations);
  const webhookId = idOf('owh', 1);
  await run(
    `insert into organization_webhooks (id, organization_id, name, fullname, created_at, updated_at, environment, filters, url, credential_id)
     values ($2, $1, 'receiver', 'Receiver', now(), now(), 'organization', '{*}', 'https://receiver.example', 'crd_1')`,
    webhookId,
  );
  await run(
    `insert into tokens (id, organization_id, name, fullname, created_at, updated_at, owner_id, owner_type, account_id, token_type,
       token_ttl, expires, role_binding, primary_pair, access_only)
     select ${id('tok', 'n')}, $1, 'token-' || lpad(n::text, 8, '0'), 'Token', now() - n * interval '1 second', now(), ${id('int', 'n')}, 'integration',
       ${id('acc', 'n')}, 'default', '24h', now() + interval '1 year', '{}',
       '{"accessHash": "a", "accessExpires": "2027-01-01T00:00:00Z", "refreshHash": "b"}', false
     from generate_series(1, $2::int) n`,
    integrations,
  );
  await run(
    `insert into members (id, organization_id, name, fullname, created_at, updated_at, type, state, role_binding, expires, pin_expires)
     select ${id('mbr', 'n')}, $1, 'member-' || n || '@example.test', 'Member', now(), now(), 'personal', 'enabled', '{}', now() + interval '1 year',
       now() + interval '1 year'
     from generate_series(1, 10000) n`,
  );
  await run(
    `insert into usage_months (organization_id, month, integration_id, account_id, account_name, integration_name, category, provider_type, requests)
     select $1, (date_trunc('month', now()) - m * interval '1 month')::date, ${id('int', 'n')}, ${id('acc', 'n')}, 'a', 'i', 'ticketing', 'ticketing_1', n
     from generate_series(1, $2::int) n, generate_series(0, 2) m`,
    integrations,
  );
  await owner.query('reset session_replication_role');
  await owner.query('vacuum analyze');
}

/**
 * Fills an organization with accounts, whose names are `account-` with their numbers.
 * @param {import('pg').Client} owner
 * @param {string} organization its id
 * @param {number} count
 */
export async function fillAccounts(owner, organization, count) {
  await owner.query('begin');
  await owner.query(
    'set local synchronous_commit = off; set local session_replication_role = replica',
  );
  // Indexes that are built at once take half of the time of those that grow with the rows.
  await owner.query(`set local maintenance_work_mem = '256MB'`);
  const { rows: indexes } = await owner.query(
    `select indexname, indexdef from pg_indexes where tablename in ('accounts', 'account_labels') and indexdef not like 'CREATE UNIQUE%'`,
  );
  for (const { indexname } of indexes) await owner.query(`drop index ${indexname}`);
  await owner.query(
    `insert into accounts (id, organization_id, name, fullname, created_at, updated_at, environment, labels)
     select ${id('acc', 'n')}, $1, 'account-' || lpad(n::text, 8, '0'), 'Account ' || n, now() - n * interval '1 second',
       now() - (n::bigint * 7919 % 1000003) * interval '1 second', case when n % 50 = 0 then 'test' else 'prod' end,
       case when n % ($2::int / 10) = 0 then '{rare}' else '{usual}' end::text[]
     from generate_series(1, $2::int) n`,
    [organization, count],
  );
  await owner.query(
    `insert into account_labels select $1, case when n % ($2::int / 10) = 0 then 'rare' else 'usual' end, ${id('acc', 'n')}
     from generate_series(1, $2::int) n`,
    [organization, count],
  );
  for (const { indexdef } of indexes) await owner.query(indexdef);
  await owner.query('commit');
  await owner.query('vacuum analyze accounts, account_labels');
}

/** A year of audit records, in the partitions of their months. */
async function fillAudit(owner, organization, count) {
  const now = new Date();
  const month = (ago) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
  for (let ago = 1; ago <= 12; ago += 1) {
    const part = `audit_records_${month(ago).toISOString().slice(0, 7).replace('-', '_')}`;
    await owner.query(
      `create table ${part} partition of audit_records for values from ('${month(ago).toISOString()}') to ('${month(ago - 1).toISOString()}')`,
    );
  }
  const begin = Date.now() - 360 * dayMs;
  // In the order of time, as calls come.
  await owner.query(
    `insert into audit_records (organization_id, created_at, request_id, environment, remote_addr, user_agent, audit_type, method, path, code, body,
       response, status, member_id, account_id, integration_id)
     select $1, $2::timestamptz + n * (interval '360 days' / $3::bigint), 'request-' || n, 'prod', '192.0.2.1', 'Mozilla/5.0 (a client of the API)',
       case when n % 200 = 0 then 'ERROR' else 'API' end, case when n % 100 = 0 then 'DELETE' else 'GET' end,
       '/v1/accounts/' || n % 1000, case when n = 77 then 'accounts_rare' else 'accounts_get' end,
       '{"name": "a name of some length"}', '200', 'OK', 'mbr_' || n % 1000, ${id('acc', 'n % 100000')}, ${id('int', 'n % 100000')}
     from generate_series(1, $3::bigint) n`,
    [organization, new Date(begin), count],
  );
}

/** A job of each integration, and ten runs of each. */
async function fillJobs(run, integrations) {
  await run(
    `insert into operations (id, organization_id, account_id, integration_id, operation, input, status, created_at, updated_at)
     select ${id('opr', 'n')}, $1, ${id('acc', 'n')}, ${id('int', 'n')}, 'ticketing_query_tickets', '{}',
       case when n % 5000 = 0 then 'CANCELLED' else 'COMPLETE' end, now() - n * interval '1 second', now() - n * interval '1 second'
     from generate_series(1, $2::int) n`,
    integrations,
  );
  await run(
    `insert into operation_executions (id, organization_id, account_id, integration_id, operation_id, operation, trigger_type, trigger_source,
       status, started_at, completed_at)
     select ${id('exe', 'n * 10 + e')}, $1, ${id('acc', 'n')}, ${id('int', 'n')}, ${id('opr', 'n')}, 'ticketing_query_tickets', 'API', 'manual', 'COMPLETE',
       now() - (n * 10 + e) * interval '1 second', now() - (n * 10 + e) * interval '1 second'
     from generate_series(1, $2::int) n, generate_series(0, 9) e`,
    integrations,
  );
}

/** Calls of the request log and deliveries of today: ten of each integration. */
async function fillByDay(owner, organization, integrations) {
  // Ids begin with the time, as those of the service do: 10 characters of base 32, then the number.
  const base = `substr(onefold_delivery_bound(now() - interval '1 minute'), 5, 10)`;
  await owner.query(
    `insert into request_records (id, organization_id, account_id, integration_id, request_id, operation, provider, dry_run, status, duration, in_bytes,
       out_bytes, mappings, exchanges, omitted_exchanges, recent, created_at)
     select 'req_' || ${base} || lpad(n::text, 16, '0'), $1, ${id('acc', 'n % $2::int')}, ${id('int', 'n % $2::int')}, ${id('request', 'n')},
       'ticketing_query_tickets', 'ticketing_1', false, case when n % 100 = 0 then 502 else 200 end, 1000, 100, 100, '[]', '[]', 0, true, now()
     from generate_series(1, $2::int * 10) n`,
    [organization, integrations],
  );
  await owner.query(
    `insert into deliveries (id, organization_id, endpoint_id, account_id, integration_id, event, payload, status, attempts, expires_at, created_at, updated_at)
     select 'dlv_' || ${base} || lpad(n::text, 16, '0'), $1, '${idOf('owh', 1)}', ${id('acc', 'n % $2::int')}, ${id('int', 'n % $2::int')}, 'account_create', '{}',
       case when n % 1000 = 0 then 'failed' else 'delivered' end, 1, now() + interval '3 days', now(), now()
     from generate_series(1, $2::int * 10) n`,
    [organization, integrations],
  );
}
