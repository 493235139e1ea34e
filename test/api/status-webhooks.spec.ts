import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createIds, systemClock } from '#config';
import { StatusWebhooks } from '#jobs';
import { QueueWorker } from '#queue';
import { openPool } from '#store';
import { eventually } from '#test/harness';
import { count, counts, type Made, make, service, useStatus } from './status-stage.js';

useStatus();

interface Sent {
  event: string;
  account_id: string;
  integration_id: string;
  payload: Record<string, unknown>;
}

const at = Date.parse('2026-11-29T01:00:00Z');
let alarms: StatusWebhooks;
let pool: ReturnType<typeof openPool>;
let worker: QueueWorker;

beforeAll(() => {
  const { store } = service;
  alarms = new StatusWebhooks({
    store,
    ids: createIds(),
    now: () => new Date(systemClock.now()),
  });
  pool = openPool({ url: service.databaseUrl, poolSize: 3 });
  worker = new QueueWorker({ pool, handlers: [alarms.handler], concurrency: 2 });
  worker.start();
});
afterAll(async () => {
  await worker.stop();
  await pool.end();
});

async function createWebhook(filters: string[], environment = 'prod'): Promise<string> {
  const { status, result, message } = await service.call<{ id: string }>(
    'POST',
    '/v1/organization/webhooks',
    {
      fullname: `Webhook of ${filters.join()} in ${environment}`,
      environment,
      filters,
      url: 'https://hooks.example.com/alarms',
      secret: { value: 'k'.repeat(32) },
    },
  );
  expect([status, message]).toEqual([200, '']);
  return result.id;
}

/** Returns what waits for a webhook, the oldest first, once no change waits any more. */
async function sentTo(webhook: string): Promise<Sent[]> {
  await alarms.wake();
  await eventually(async () => expect(await service.store.statusWebhooksBacklog()).toEqual([]));
  const path = `/v1/organization/webhooks/${webhook}/deliveries?order=created_at[asc]`;
  return (await service.call<Sent[]>('GET', path)).result;
}

const turn = async (made: Made, status: string, offset: number, more: object = {}) =>
  await count({
    counts: [counts(made)],
    states: [{ integrationId: made.integrationId, status, at: at + offset, ...more }],
  });

describe('a change of the state of an integration', () => {
  it('is sent to the webhooks of its environment that want it, once, with what was before', async () => {
    const all = await createWebhook(['all']);
    const wanting = await createWebhook(['integration_status']);
    const other = await createWebhook(['integration_update']);
    const elsewhere = await createWebhook(['all'], 'test');
    const made = await make();
    await turn(made, 'healthy', 0);
    const error = 'GitHub Issues refuses crd_1: Bad credentials';
    await turn(made, 'credentials_refused', 1_000, { error, requestId: 'request-1' });
    await turn(made, 'credentials_refused', 2_000);
    const sent = await sentTo(wanting);
    expect(sent.map(({ event }) => event)).toEqual(['integration_status', 'integration_status']);
    const payloads = sent.map(({ payload: { nonce: _nonce, ...rest } }) => rest);
    expect(payloads).toEqual([
      {
        event: 'integration_status',
        account_id: made.accountId,
        integration_id: made.integrationId,
        created_at: '2026-11-29T01:00:00.000Z',
        status: 'healthy',
        request: 3,
      },
      {
        event: 'integration_status',
        account_id: made.accountId,
        integration_id: made.integrationId,
        created_at: '2026-11-29T01:00:01.000Z',
        status: 'credentials_refused',
        previous_status: 'healthy',
        error,
        request: 6,
        request_id: 'request-1',
      },
    ]);
    expect(sent[1]).toMatchObject({
      account_id: made.accountId,
      integration_id: made.integrationId,
    });
    const ofAll = (await sentTo(all)).filter(({ event }) => event === 'integration_status');
    expect(ofAll).toHaveLength(2);
    expect(await sentTo(other)).toEqual([]);
    expect(await sentTo(elsewhere)).toEqual([]);
    expect(await sentTo(wanting)).toHaveLength(2);
  });

  it('waits for nobody where no webhook wants it, and is not sent to one that comes later', async () => {
    const { result } = await service.call<{ id: string }[]>('GET', '/v1/organization/webhooks');
    for (const { id } of result)
      expect((await service.call('DELETE', `/v1/organization/webhooks/${id}`)).status).toBe(204);
    const made = await make();
    await turn(made, 'failing', 0);
    expect(await service.store.statusWebhooksBacklog()).toEqual([]);
    const late = await createWebhook(['integration_status']);
    expect(await sentTo(late)).toEqual([]);
    await turn(made, 'healthy', 1_000);
    expect((await sentTo(late)).map(({ payload }) => payload)).toMatchObject([
      { status: 'healthy', previous_status: 'failing' },
    ]);
  });

  it('is dropped with its integration', async () => {
    const webhook = await createWebhook(['integration_status', 'account_delete']);
    const made = await make();
    await turn(made, 'failing', 0);
    expect(await service.store.statusWebhooksBacklog()).toHaveLength(1);
    const { accountId } = made;
    expect((await service.call('DELETE', `/v1/accounts/${accountId}`)).status).toBe(204);
    expect(await service.store.statusWebhooksBacklog()).toEqual([]);
    expect((await sentTo(webhook)).map(({ event }) => event)).toEqual(['account_delete']);
  });
});
