import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createIds, systemClock } from '#config';
import { JobRunner, StatusEvents } from '#jobs';
import { QueueWorker } from '#queue';
import { openPool } from '#store';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { type Service, startService } from './service.js';
import { SimulatedWorker } from './simulated-worker.js';

interface OwnToken {
  account_id: string;
  token: { id: string; primary: { access: { secret: string } } };
}
interface Integrated {
  integration: { id: string; name: string };
  token: { access: { secret: string } };
}

let service: Service;
let receiver: EventReceiver;
let pool: pg.Pool;
let worker: QueueWorker | undefined;
let account: string;
let desk: Integrated;

beforeAll(async () => {
  service = await startService();
  receiver = await EventReceiver.start();
  pool = openPool({ url: service.databaseUrl, poolSize: 5 });
  const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  account = made.result.account.id;
  const desks = { provider_config: { type: 'ticketing_mock_ticketing' } };
  desk = (await service.call<Integrated>('POST', `/v1/integrations/${account}`, desks)).result;
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  receiver.fault = () => undefined;
  receiver.requests = [];
});
afterAll(async () => {
  await pool.end();
  await service.stop();
  await receiver.stop();
});

const open = async (token?: string) =>
  (await service.call<OwnToken>('POST', '/v1/tokens/organization-integrations', {}, token)).result;
const secretOf = ({ token }: OwnToken) => token.primary.access.secret;
const sinkAt = (path: string) => ({ type: 'sink_http', url: `${receiver.url}/${path}` });
const integrate = (own: OwnToken, point: string, config: object = sinkAt(point)) =>
  service.call<Integrated>(
    'POST',
    `/v1/integrations/${own.account_id}`,
    { provider_config: config, integration_point_id: point },
    secretOf(own),
  );
const createJob = (input: object = {}) =>
  service.call<{ operation: { id: string; output_integration_id: string } }>(
    'POST',
    '/v1/operations',
    { operation: 'ticketing_query_tickets', input },
    desk.token.access.secret,
  );
const names = (list: unknown) => (list as { name: string }[]).map(({ name }) => name);
const get = async (path: string, token?: string) =>
  await service.call('GET', path, undefined, token);

describe("the organization's own account", () => {
  it('is one, and has two integration points of sinks', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    expect(other.account_id).toBe(one.account_id);
    const token = secretOf(one);
    const points = await get('/v1/integration-points', token);
    expect(names(points.result)).toEqual(['operation-events', 'status-events']);
    const accounts = await get('/v1/accounts', token);
    expect(accounts.result).toMatchObject([{ id: one.account_id, environment: 'prod' }]);
  });

  it('is hidden from every other token, with its integrations, credentials and points', async () => {
    const own = await open();
    const made = await integrate(own, 'status-events', {
      ...sinkAt('hidden'),
      authorization: {
        type: 'token_config',
        credential: { type: 'token', secret: 'a secret of the sink' },
      },
    });
    expect([made.status, made.message]).toEqual([200, '']);
    const { id } = made.result.integration;
    expect((await get(`/v1/accounts/${own.account_id}`)).status).toBe(404);
    expect((await get(`/v1/integrations/${own.account_id}/${id}`)).status).toBe(404);
    expect((await get(`/v1/credentials/${id}`)).status).toBe(404);
    for (const path of ['/v1/accounts', '/v1/integrations', '/v1/integration-points', '/v1/status'])
      expect(JSON.stringify((await get(path)).result)).not.toMatch(
        new RegExp(`${own.account_id}|${id}|status-events`),
      );
    const named = { accounts: { ids: [own.account_id] } };
    const wanted = { permission_set: 'viewer', resources: named };
    expect((await service.call('POST', '/v1/tokens', wanted)).status).toBe(400);
    const place = `/v1/integrations/${own.account_id}/${id}`;
    expect((await service.call('DELETE', place, undefined, secretOf(own))).status).toBe(204);
  });

  it('leaves its names to the integration points of everybody else', async () => {
    const body = { name: 'operation-events', connector: 'ticketing', environments: {} };
    const made = await service.call<{ id: string }>('POST', '/v1/integration-points', body);
    expect(made.status).toBe(200);
    const found = await get('/v1/integration-points/operation-events');
    expect(found.result).toMatchObject({ id: made.result.id, connector: 'ticketing' });
    const own = await get('/v1/integration-points/operation-events', secretOf(await open()));
    expect(own.result).toMatchObject({ connector: 'sink' });
    await service.call('DELETE', `/v1/integration-points/${made.result.id}`);
  });

  it('takes sinks only, cannot be changed, and reaches no other account', async () => {
    const own = await open();
    const token = secretOf(own);
    const desks = { type: 'ticketing_mock_ticketing' };
    expect((await integrate(own, 'operation-events', desks)).status).toBe(403);
    const path = `/v1/accounts/${own.account_id}`;
    const change = [{ op: 'replace', path: '/fullname', value: 'Mine' }];
    expect((await service.call('PATCH', path, change, token)).status).toBe(409);
    expect((await service.call('DELETE', path, undefined, token)).status).toBe(409);
    expect((await get(`/v1/accounts/${account}`, token)).status).toBe(404);
  });

  it('is not opened by a token that is limited to some accounts or domains', async () => {
    const limits = [
      { accounts: { ids: [account] } },
      { accounts: { ids: ['*'], environments: ['prod'] } },
      { accounts: { ids: ['*'] }, integrations: { categories: ['ticketing'] } },
    ];
    for (const resources of limits) {
      const made = await service.call<OwnToken['token']>('POST', '/v1/tokens', {
        permission_set: 'administrator',
        resources,
      });
      const { secret } = made.result.primary.access;
      const path = '/v1/tokens/organization-integrations';
      expect((await service.call('POST', path, {}, secret)).status).toBe(403);
    }
  });

  it('is in the audit trail of the organization', async () => {
    const own = await open();
    const { result } = await get('/v1/audit/organizations?limit=5&order=created_at%5Bdesc%5D');
    expect(result).toContainEqual(
      expect.objectContaining({ path: '/v1/tokens/organization-integrations', method: 'POST' }),
    );
    expect(JSON.stringify(result)).not.toContain(secretOf(own));
  });
});

describe('the results of a job without a sink of its own', () => {
  it('are refused with the way to make one, and then go to the integration on operation-events', async () => {
    const refused = await createJob();
    expect(refused.status).toBe(400);
    expect(refused.faults[0]).toContain('no integration on "operation-events"');
    const own = await open();
    const sink = await integrate(own, 'operation-events');
    expect([sink.status, sink.message]).toEqual([200, '']);
    const second = await integrate(own, 'operation-events');
    expect([second.status, second.message]).toEqual([
      409,
      expect.stringContaining(`(${sink.result.integration.id}) already`),
    ]);
    const job = await createJob();
    expect(job.result.operation.output_integration_id).toBe(sink.result.integration.id);
    const { store, bus } = service;
    const parts = { store, bus, clock: systemClock, ids: createIds(), pageRecords: 100 };
    const { handlers } = new JobRunner({ ...parts, onRecords: () => undefined });
    worker = new QueueWorker({ pool, handlers, concurrency: 2 });
    worker.start();
    while (receiver.requests.length === 0) await new Promise((settle) => setTimeout(settle, 20));
    expect(receiver.requests[0]).toMatchObject({ path: '/operation-events' });
    expect(receiver.requests[0]?.events).not.toHaveLength(0);
  });
});

describe('a schedule that names no sink', () => {
  const schedule = async () => {
    const answer = await service.call<Integrated>('POST', `/v1/integrations/${account}`, {
      provider_config: { type: 'siem_mock_siem' },
      scheduled_operations: [
        {
          operation: 'siem_query_events',
          enabled: true,
          frequency: { type: 'periodic', value: '1h' },
        },
      ],
    });
    expect([answer.status, answer.message]).toEqual([200, '']);
    return answer.notes;
  };

  it('is noted while there is no default sink, and then writes to the one on operation-events', async () => {
    const own = await open();
    const token = secretOf(own);
    const sinks = await service.call<{ id: string }[]>(
      'GET',
      `/v1/integrations/${own.account_id}`,
      undefined,
      token,
    );
    for (const { id } of sinks.result)
      await service.call('DELETE', `/v1/integrations/${own.account_id}/${id}`, undefined, token);
    expect(await schedule()).toEqual([expect.stringContaining('no sink')]);
    const made = await integrate(own, 'operation-events', sinkAt('default'));
    expect([made.status, made.message]).toEqual([200, '']);
    expect(await schedule()).toEqual([]);
    const simulated = new SimulatedWorker(service, 100);
    await simulated.pass(2 * 3_600_000, 300_000);
    await simulated.stop();
    // The schedule from before has found the sink too: two runs of each.
    const batches = receiver.requests.map(({ path, headers }) => [
      path,
      /^(exe_\w+)-/.exec(String(headers['idempotency-key']))?.[1],
    ]);
    expect(new Set(batches.map(([path]) => path))).toEqual(new Set(['/default']));
    expect(new Set(batches.map(([, execution]) => execution)).size).toBe(4);
    expect(receiver.requests.flatMap(({ events }) => events)).not.toHaveLength(0);
  });
});

describe('changes of the states of integrations', () => {
  it('go to the integration on status-events, each at least once and with its batch again', async () => {
    const own = await open();
    const made = await integrate(own, 'status-events');
    expect([made.status, made.message]).toEqual([200, '']);
    const { bus, store } = service;
    const events = new StatusEvents({ store, bus, clock: systemClock });
    worker = new QueueWorker({ pool, handlers: [events.handler], concurrency: 2 });
    worker.start();
    // The first attempt is refused, and tried again with the same batch.
    let refused: string | undefined;
    receiver.fault = ({ path, headers }) => {
      if (path !== '/status-events' || refused !== undefined) return undefined;
      refused = String(headers['idempotency-key']);
      return { status: 503, headers: { 'retry-after': '1' } };
    };
    const path = `/v1/integrations/${account}`;
    const body = { provider_config: { type: 'ticketing_mock_ticketing' } };
    const { result: other } = await service.call<Integrated>('POST', path, body);
    await get('/v1/ticketing/tickets', other.token.access.secret); // from new to healthy
    const received = () =>
      receiver.requests.filter(
        ({ path, events }) => path === '/status-events' && events.length > 0,
      );
    const toldEvents = () =>
      received().flatMap((request) => request.events as { integration_id: string }[]);
    while (!toldEvents().some((one) => one.integration_id === other.integration.id)) {
      await events.wake();
      await new Promise((settle) => setTimeout(settle, 100));
    }
    expect(received()[0]?.headers['idempotency-key']).toBe(refused);
    expect(toldEvents()).toContainEqual(
      expect.objectContaining({
        event: 'integration_status',
        account_id: account,
        integration_id: other.integration.id,
        status: 'healthy',
      }),
    );
    while ((await store.statusBacklog()).length > 0)
      await new Promise((settle) => setTimeout(settle, 20));
    // The sink's own state is not told: each failure would make another event.
    expect(toldEvents().map((one) => one.integration_id)).not.toContain(made.result.integration.id);
  });
});
