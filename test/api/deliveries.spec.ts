import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Service, startService } from './service.js';

interface Delivery {
  id: string;
  event: string;
  status: string;
  account_id: string;
  integration_id?: string;
  next_attempt_at?: string;
  payload: { event: string; nonce: string; account?: { id: string }; integration?: { id: string } };
  attempts: { number: number; status_code?: number; duration: number; response?: string }[];
}
interface Account {
  account: { id: string; name: string };
}

const webhooks = '/v1/organization/webhooks';
const secret = 'a signing secret that nobody shows';
let service: Service;
let database: pg.Client;
beforeAll(async () => {
  const names = { 'intranet.example.com': '10.0.0.5' };
  service = await startService(5, undefined, 0, { names });
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.stop();
});
beforeEach(async () => {
  const { result } = await service.call<{ id: string }[]>('GET', webhooks);
  for (const { id } of result) await service.call('DELETE', `${webhooks}/${id}`);
});

async function webhook(body: object = {}): Promise<string> {
  const { status, message, result } = await service.call<{ id: string }>('POST', webhooks, {
    filters: ['all'],
    url: 'https://hooks.example.com/onefold',
    secret: { value: secret },
    ...body,
  });
  expect([status, message]).toEqual([200, '']);
  return result.id;
}
async function deliveries(id: string, query = ''): Promise<Delivery[]> {
  const path = `${webhooks}/${id}/deliveries${query}`;
  const { status, message, result } = await service.call<Delivery[]>('GET', path);
  expect([status, message]).toEqual([200, '']);
  return result;
}
async function account(environment = 'prod'): Promise<string> {
  const { result } = await service.call<Account>('POST', '/v1/accounts', { environment });
  return result.account.id;
}
const replay = (id: string, body: object) =>
  service.call<{ replayed: number; complete: boolean }>(
    'POST',
    `${webhooks}/${id}/deliveries/replay`,
    body,
  );
/** Ends a delivery as a worker would. */
const end = async (id: string, status: string) => {
  await database.query(
    `update deliveries set status = $2, attempts = 1, next_attempt_at = null, reason = 'status_5xx' where id = $1`,
    [id, status],
  );
  await database.query(
    `insert into delivery_attempts (delivery_id, number, organization_id, started_at, duration, status_code, response)
     select id, 1, organization_id, now(), 1500, 500, 'oops' from deliveries where id = $1`,
    [id],
  );
};

describe('a change', () => {
  it('is stored for each webhook of its environment that wants it, with the records as responses show them', async () => {
    const all = await webhook();
    const some = await webhook({ filters: ['integration_delete', 'account_delete'] });
    const test = await webhook({ environment: 'test' });
    const accountId = await account();
    const path = `/v1/accounts/${accountId}`;
    await service.call('PATCH', path, [{ op: 'replace', path: '/fullname', value: 'Renamed' }]);
    const made = await service.call<{ integration: { id: string } }>(
      'POST',
      `/v1/integrations/${accountId}`,
      {
        provider_config: {
          type: 'ticketing_redmine',
          url: 'https://redmine.example.com',
          credential: { type: 'token', secret: 'an inline secret' },
        },
        webhook_config: {
          items: [{ webhook_url: 'https://h.example.com/', integrator_key: 'k'.repeat(32) }],
        },
      },
    );
    expect([made.status, made.message]).toEqual([200, '']);
    const integrationId = made.result.integration.id;
    const integration = `/v1/integrations/${accountId}/${integrationId}`;
    await service.call('PATCH', integration, [
      { op: 'replace', path: '/fullname', value: 'Renamed' },
    ]);
    await service.call('POST', `${integration}/verify`, { fullname: 'Never stored' });
    await service.call('DELETE', integration);
    await service.call('DELETE', path);
    const stored = await deliveries(all, '?order=created_at[asc]');
    expect(stored.map(({ event }) => event)).toEqual([
      'account_create',
      'account_update',
      'integration_create',
      'integration_update',
      'integration_delete',
      'account_delete',
    ]);
    for (const one of stored) {
      expect(one).toMatchObject({ status: 'waiting', account_id: accountId, attempts: [] });
      expect(one.payload).toMatchObject({ event: one.event, account: { id: accountId } });
      expect(one.payload.nonce).toMatch(/^[0-9a-f]{32}$/);
    }
    expect(stored[2]?.payload.integration).toEqual(
      expect.objectContaining({ id: integrationId, provider_type: 'ticketing_redmine' }),
    );
    expect(new Set(stored.map(({ payload }) => payload.nonce)).size).toBe(6);
    expect((await deliveries(some)).map(({ event }) => event)).toEqual([
      'account_delete',
      'integration_delete',
    ]);
    expect(await deliveries(test)).toEqual([]);
    const { rows } = await database.query<{ payload: string }>('select payload from deliveries');
    for (const { payload } of rows)
      for (const one of [secret, 'an inline secret', 'k'.repeat(32)])
        expect(payload).not.toContain(one);
    // The tasks that send them hold ids only.
    const tasks = await database.query<{ payload: unknown }>(
      'select payload from graphile_worker._private_jobs where key = $1',
      [all],
    );
    expect(tasks.rows).toEqual([
      { payload: { organizationId: service.administrator.organizationId, endpointId: all } },
    ]);
  });

  it('that fails in the end leaves nothing', async () => {
    const id = await webhook();
    const token = { permission_set: 'administrator', token_ttl: '1s' };
    const refused = await service.call('POST', '/v1/accounts', { name: 'tried', token });
    expect(refused.status).toBe(400);
    expect(await deliveries(id)).toEqual([]);
  });
});

describe('deliveries', () => {
  it('are listed newest first with their attempts, page by page, by status and event', async () => {
    const id = await webhook();
    for (let count = 0; count < 3; count += 1) await account();
    const [third, second, first] = (await deliveries(id)) as [Delivery, Delivery, Delivery];
    expect([first.id, second.id, third.id].toSorted()).toEqual([first.id, second.id, third.id]);
    await end(first.id, 'failed');
    expect(await deliveries(id, '?filter=status[eq]failed')).toMatchObject([
      {
        id: first.id,
        reason: 'status_5xx',
        attempts: [{ number: 1, status_code: 500, duration: 1_500, response: 'oops' }],
      },
    ]);
    expect(await deliveries(id, '?filter=event[eq]account_delete')).toEqual([]);
    const page = await deliveries(id, '?limit=1');
    const next = await deliveries(id, `?limit=2&start_after=${page[0]?.id}`);
    expect(next.map((one) => one.id)).toEqual([second.id, first.id]);
    const refused = await service.call('GET', `${webhooks}/${id}/deliveries?order=event`);
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining('created_at')]);
    const stranger = await webhook();
    expect(await deliveries(stranger)).toEqual([]);
  });

  it('are sent again by id or for a time: failed ones by default', async () => {
    const id = await webhook();
    const from = new Date(Date.now() - 1_000).toISOString();
    for (let count = 0; count < 3; count += 1) await account();
    const [third, second, first] = (await deliveries(id)) as [Delivery, Delivery, Delivery];
    await end(first.id, 'failed');
    await end(second.id, 'delivered');
    expect((await replay(id, { from })).result).toEqual({ replayed: 1, complete: true });
    expect((await deliveries(id)).map(({ status }) => status)).toEqual([
      'waiting',
      'delivered',
      'waiting',
    ]);
    expect((await replay(id, { delivery_ids: [second.id] })).result.replayed).toBe(1);
    const again = (await deliveries(id)).find((one) => one.id === second.id);
    expect(again).toMatchObject({ status: 'waiting', payload: second.payload });
    expect(again?.attempts).toHaveLength(1);
    const wanted = { from, to: from, statuses: ['waiting'] };
    expect((await replay(id, wanted)).status).toBe(400);
    const later = { from: new Date(Date.now() + 60_000).toISOString(), statuses: ['waiting'] };
    expect((await replay(id, later)).result.replayed).toBe(0);
    for (const body of [{}, { delivery_ids: [] }, { delivery_ids: [third.id], from }])
      expect((await replay(id, body)).status).toBe(400);
    const stranger = await webhook();
    const foreign = await replay(stranger, { delivery_ids: [third.id] });
    expect([foreign.status, foreign.message]).toEqual([
      400,
      expect.stringContaining('/delivery_ids/0'),
    ]);
  });
});

describe('a test delivery', () => {
  const test = (id: string) => service.call<Delivery>('POST', `${webhooks}/${id}/deliveries/test`);

  it('is one of the event test, whatever the webhook filters, and another one each time', async () => {
    const id = await webhook({ filters: ['account_delete'] });
    const { status, result } = await test(id);
    expect(status).toBe(200);
    expect(result).toMatchObject({ event: 'test', status: 'waiting', attempts: [] });
    expect(result.payload).toMatchObject({ event: 'test', webhook: { id } });
    const again = (await test(id)).result;
    expect(again.payload.nonce).not.toBe(result.payload.nonce);
    expect(await deliveries(id)).toEqual([again, result]);
    expect(await deliveries(id, `?filter=id[eq]${result.id}`)).toEqual([result]);
    expect(JSON.stringify(result)).not.toContain(secret);
  });

  it('is refused while the webhook is paused or disabled, and for one that does not exist', async () => {
    const id = await webhook();
    for (const state of ['paused', 'disabled']) {
      await service.call('PATCH', `${webhooks}/${id}`, [
        { op: 'replace', path: '/state', value: state },
      ]);
      expect(await test(id)).toMatchObject({
        status: 409,
        remediation: expect.stringContaining('active'),
        message: expect.stringContaining(`is ${state}`),
      });
    }
    expect(await deliveries(id)).toEqual([]);
    expect((await test('nothing')).status).toBe(404);
  });
});

describe('a webhook', () => {
  const move = (id: string, value: string) =>
    service.call<{ state: string; state_since?: string; state_reason?: string }>(
      'PATCH',
      `${webhooks}/${id}`,
      [{ op: 'replace', path: '/state', value }],
    );

  it('holds deliveries while it is paused, and sends them when it is resumed', async () => {
    const id = await webhook();
    await account();
    expect((await move(id, 'paused')).result).toMatchObject({
      state: 'paused',
      state_since: expect.any(String),
      state_reason: 'paused by a request',
    });
    await account();
    const held = await deliveries(id);
    expect(held.map(({ next_attempt_at: next }) => next)).toEqual([undefined, undefined]);
    expect(held.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
    const resumed = await move(id, 'active');
    expect(resumed.result.state).toBe('active');
    expect(resumed.result.state_reason).toBeUndefined();
    for (const one of await deliveries(id)) expect(one.next_attempt_at).toBeDefined();
  });

  it('gets no deliveries while it is disabled', async () => {
    const id = await webhook();
    await account();
    await move(id, 'disabled');
    await account();
    expect(await deliveries(id)).toMatchObject([{ status: 'failed', reason: 'disabled' }]);
    const refused = await replay(id, { from: '2020-01-01T00:00:00Z' });
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining('disabled')]);
    expect((await move(id, 'gone')).status).toBe(400);
    const put = await service.call<{ state: string }>('PUT', `${webhooks}/${id}`, {
      ...(await service.call<object>('GET', `${webhooks}/${id}`)).result,
      state: undefined,
    });
    expect([put.status, put.result.state]).toEqual([200, 'disabled']);
  });

  const notPublic = [
    'http://169.254.169.254/latest',
    'http://10.0.0.1/',
    'http://[::ffff:10.0.0.1]/',
    'https://intranet.example.com/hook',
  ];
  it.each(notPublic)('is refused for %s, which is not a public address', async (url) => {
    const body = { filters: ['all'], url, secret: { value: secret } };
    const { status, message, remediation } = await service.call('POST', webhooks, body);
    expect([status, message]).toEqual([400, expect.stringContaining('/url: refused to connect')]);
    expect(remediation).toContain('over the internet');
    const id = await webhook();
    const patched = await service.call('PATCH', `${webhooks}/${id}`, [
      { op: 'replace', path: '/url', value: url },
    ]);
    expect([patched.status, patched.message]).toEqual([400, expect.stringContaining('/url')]);
  });
});
