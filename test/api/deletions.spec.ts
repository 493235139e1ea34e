import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Service, startService } from './service.js';

const secret = 'correct horse battery';

let service: Service;
let owner: pg.Client;
beforeAll(async () => {
  service = await startService();
  owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.stop();
});

interface Made {
  account: { id: string };
  integration: { id: string; refresh_token_id: string };
  bridge: { id: string };
  organization: { id: string };
  member: { id: string; name: string };
  token: { id: string; access: { secret: string } };
  refresh_token_id: string;
  id: string;
}
const make = async (path: string, body: object, token?: string): Promise<Made> => {
  const { status, message, result } = await service.call('POST', path, body, token);
  expect([path, status, message]).toEqual([path, 200, '']);
  return result as unknown as Made;
};

/** Counts the rows of the tenants by table, without the audit trail and the usage, which is written at any time. */
async function everything(): Promise<Map<string, Set<string>>> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
      where nspname = 'public' and relkind = 'r' and relname !~ 'audit|migrations|usage|integration_status' order by 1`,
  );
  const all = new Map<string, Set<string>>();
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(
      `select (to_jsonb(t) - 'last_used_at')::text as row from "${name}" t`,
    );
    all.set(name, new Set(rows.map(({ row }) => row)));
  }
  return all;
}

/** Returns the number of deleted rows by table. Nothing else may change except the tables in `changes`. */
async function taken(path: string, changes: readonly string[] = []): Promise<object> {
  const before = await everything();
  const { status, message } = await service.call('DELETE', path);
  expect([status, message]).toEqual([204, '']);
  const after = await everything();
  const counts: Record<string, number> = {};
  for (const [table, rows] of before) {
    const now = after.get(table) ?? new Set();
    // Hashes of spent secrets are kept for a time, to recognize one that is used again.
    if (table === 'token_secrets') continue;
    if (changes.includes(table)) {
      expect(now.size).toBe(rows.size);
      continue;
    }
    const gone = [...rows].filter((row) => !now.has(row));
    if (gone.length > 0) counts[table] = gone.length;
    expect([...now].filter((row) => !rows.has(row))).toEqual([]);
  }
  return counts;
}

/** Makes the deletion of rows of a table fail, and checks that nothing has changed. */
async function isOneTransaction(path: string, table: string): Promise<void> {
  await owner.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by the test'; end $$;
    create trigger refuse before delete on ${table} for each row execute function refuse()`);
  try {
    const before = await everything();
    expect((await service.call('DELETE', path)).status).toBe(500);
    expect(await everything()).toEqual(before);
  } finally {
    await owner.query(`drop trigger refuse on ${table}; drop function refuse()`);
  }
}

/** Creates an account with an integration, a credential of each, and a bridge group. */
async function account(name: string) {
  const made = await make('/v1/accounts', { name, token: { permission_set: 'viewer' } });
  const { integration } = await make(`/v1/integrations/${made.account.id}`, {
    name: 'desk',
    provider_config: { type: 'ticketing_mock_ticketing' },
  });
  const config = { type: 'token', secret: 'canary' };
  await make(`/v1/credentials/${made.account.id}`, { name: 'shared', config });
  const { bridge } = await make(`/v1/bridges/${made.account.id}`, { name: 'plant' });
  await make(`/v1/tokens/${made.account.id}/${integration.id}`, {});
  return { id: made.account.id, token: made.token.id, integration, bridge };
}

const logon = (organization: string, name: string) =>
  make(`/v1/auth/logon/${organization}`, { name, secret }, '');

describe('deleting', () => {
  it('"an Account deletes its Integrations and Credentials": and what lies in them; its scoped tokens stay', async () => {
    await account('neighbour');
    const { id, token } = await account('leaving');
    await isOneTransaction(`/v1/accounts/${id}`, 'data_keys');
    await isOneTransaction(`/v1/accounts/${id}`, 'integrations');
    expect(await taken(`/v1/accounts/${id}`)).toEqual({
      accounts: 1,
      integrations: 1,
      credentials: 1,
      bridges: 1,
      data_keys: 1,
      tokens: 2, // of the integration
    });
    expect((await service.call('GET', `/v1/tokens/${token}/info`)).status).toBe(200);
  });

  it('an Account ends its jobs and schedules, the webhooks that it takes in and what they left', async () => {
    const { id, integration } = await account('with-jobs');
    const sink = await make(`/v1/integrations/${id}`, {
      provider_config: { type: 'sink_http', url: 'https://events.example.com/in' },
    });
    const entry = {
      operation: 'ticketing_query_tickets',
      enabled: true,
      frequency: { type: 'periodic', value: '1h' },
      sink_integration_id: sink.integration.id,
    };
    const desk = `/v1/integrations/${id}/${integration.id}`;
    const add = [{ op: 'add', path: '/scheduled_operations', value: [entry] }];
    expect((await service.call('PATCH', desk, add)).status).toBe(200);
    await make('/v1/jobs', {
      operation: entry.operation,
      integration_id: integration.id,
      input: { sink_integration_id: sink.integration.id },
    });
    await owner.query(
      `insert into integration_webhooks (id, organization_id, name, fullname, created_at, updated_at, account_id, integration_id,
         project, token_id, token, secret, events, creator)
       select 'iwh_1', organization_id, 'by-hand', 'by hand', now(), now(), account_id, id, 'p', 't', 'x', 'y', '{}', 'me'
       from integrations where id = $1`,
      [integration.id],
    );
    await owner.query(
      `insert into webhook_receivers (id, organization_id, name, fullname, created_at, updated_at, account_id, integration_id, url)
       select 'whr_1', organization_id, 'one', 'one', now(), now(), account_id, id, 'https://events.example.com/' from integrations where id = $1`,
      [integration.id],
    );
    expect(await taken(`/v1/accounts/${id}`)).toMatchObject({
      accounts: 1,
      integrations: 2,
      operations: 2,
      operation_runs: 1,
      operation_schedules: 1,
      integration_webhooks: 1,
      webhook_receivers: 1,
    });
    expect((await service.call('GET', '/v1/jobs')).result).toEqual([]);
  });

  it('an Integration deletes its tokens', async () => {
    const { id, integration } = await account('with-integration');
    const path = `/v1/integrations/${id}/${integration.id}`;
    await isOneTransaction(path, 'integrations');
    expect(await taken(path)).toEqual({ integrations: 1, tokens: 2 });
  });

  it('"a Bridge Group also deletes its tokens and credentials": the key its agents show is part of it', async () => {
    const { id, bridge } = await account('with-bridge');
    expect(await taken(`/v1/bridges/${id}/${bridge.id}`)).toEqual({ bridges: 1 });
  });

  it('"a Role also deletes its tokens and credentials": sessions bound by it; members lose the role', async () => {
    const { organizationId } = service.administrator;
    const role = await make('/v1/roles', { name: 'leaving', permission_set: 'viewer' });
    const body = { secret, role_binding: ['leaving', 'member'] };
    const { member } = await make('/v1/members', { name: 'bound@example.com', ...body });
    await make('/v1/members', { name: 'free@example.com', secret, role_binding: ['member'] });
    await logon(organizationId, member.name);
    await logon(organizationId, 'free@example.com');
    await isOneTransaction(`/v1/roles/${role.id}`, 'roles');
    expect(await taken(`/v1/roles/${role.id}`, ['members'])).toEqual({
      roles: 1,
      tokens: 1,
    });
    const left = await service.call('GET', `/v1/members/${member.id}`);
    expect(left.result).toMatchObject({ role_binding: ['member'] });
  });

  it('a Member deletes their password, their sessions and their tokens of the organization, not those of integrations', async () => {
    const { organizationId } = service.administrator;
    const body = { name: 'leaver@example.com', secret, role_binding: ['administrator'] };
    const { member } = await make('/v1/members', body);
    const session = (await logon(organizationId, member.name)).token.access.secret;
    const resources = { organizations: { ids: ['*'] } };
    await make('/v1/tokens', { permission_set: 'viewer', resources }, session);
    const { account: made } = await make('/v1/accounts', { name: 'of-the-leaver' }, session);
    const desk = { name: 'desk', provider_config: { type: 'ticketing_mock_ticketing' } };
    await make(`/v1/integrations/${made.id}`, desk, session);
    await isOneTransaction(`/v1/members/${member.id}`, 'member_secrets');
    expect(await taken(`/v1/members/${member.id}`)).toEqual({
      members: 1,
      member_secrets: 1,
      tokens: 2,
    });
  });

  it('an organization deletes everything that is its own, and nothing of another', async () => {
    const { organization, token } = await make('/v1/suborgs', {
      member: { name: 'first@example.com', secret },
    });
    const sub = token.access.secret;
    await make('/v1/accounts', { name: 'inside' }, sub);
    await make('/v1/roles', { name: 'inside', permission_set: 'viewer' }, sub);
    await logon(organization.id, 'first@example.com');
    const path = `/v1/suborgs/${organization.id}`;
    await isOneTransaction(path, 'roles');
    expect(await taken(path)).toEqual({
      organizations: 1,
      accounts: 1,
      members: 2, // its first administrator, and the one asked for
      member_secrets: 1,
      roles: 1,
      tokens: 2,
    });
    for (const [table, rows] of await everything())
      expect([table, [...rows].filter((row) => row.includes(organization.id))]).toEqual([
        table,
        [],
      ]);
  });
});
