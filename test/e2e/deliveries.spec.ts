import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isWhole, Receiver } from '#test/harness';
import { type Onefold, startDistributed } from './onefold.js';
import type { Running } from './processes.js';

const webhookCount = 3;
const accountCount = isWhole ? 1_000 : 300;
const kills = 3;
/** Deliveries to one webhook that a worker has sent and not recorded; see `maxBatch` of libs/deliver. */
const maxRepeated = 64;

let onefold: Onefold;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
  onefold = await startDistributed();
});
afterAll(async () => {
  await onefold.stop();
  await receiver.stop();
});

async function until(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(50))
    if (await holds()) return;
  throw new Error('it did not happen in time');
}

async function startWorker(): Promise<Running> {
  const worker = onefold.startAnother?.('operations');
  if (worker === undefined) throw new Error('the worker cannot be started');
  onefold.processes[`operations ${Object.keys(onefold.processes).length}`] = worker;
  await worker.says(/"message":"ready"/);
  return worker;
}

describe('deliveries', () => {
  it('survive workers that are killed: none is lost, and what is repeated has its id and body', async () => {
    const { api } = onefold;
    for (let index = 0; index < webhookCount; index += 1)
      await api.call('organizationWebhooks_create', {
        body: {
          name: `hook-${index}`,
          filters: ['account_create'],
          url: `${receiver.url}${index}`,
          secret: { value: 'a signing secret' },
        },
      });
    let worker = onefold.processes['operations'] as Running;
    await startWorker(); // two share the work
    // A response takes a moment, so that a worker is killed in the middle of requests.
    receiver.answer = (_request, response) =>
      void setTimeout(() => response.writeHead(204).end(), 5);
    let created = 0;
    const create = async () => {
      while (created < accountCount) {
        created += 1;
        await api.call('accounts_create', { body: { name: `account-${created}` } });
      }
    };
    const creating = Promise.all([create(), create(), create(), create()]);
    for (let kill = 1; kill <= kills; kill += 1) {
      const target = (kill / (kills + 1)) * accountCount * webhookCount * 0.5;
      await until(() => receiver.requests.length >= target, 60_000);
      await worker.stop('SIGKILL');
      worker = await startWorker();
    }
    await creating;
    const expected = accountCount * webhookCount;
    await until(() => receiver.counts().size === expected, 120_000);
    const database = new pg.Client({ connectionString: onefold.env?.['DATABASE_URL'] });
    await database.connect();
    const left = async () => {
      const { rows } = await database.query<{ left: number }>(
        `select count(*)::int as left from deliveries where status <> 'delivered'`,
      );
      return rows[0]?.left;
    };
    await until(async () => (await left()) === 0, 60_000);
    const stored = await database.query<{ id: string; payload: string }>(
      'select id, payload from deliveries',
    );
    await database.end();
    const bodies = new Map(stored.rows.map(({ id, payload }) => [id, payload]));
    expect(bodies.size).toBe(expected);
    for (const { headers, body } of receiver.requests)
      expect(body).toBe(bodies.get(headers['webhook-id'] ?? ''));
    const repeated = receiver.requests.length - expected;
    expect(repeated).toBeLessThanOrEqual(kills * webhookCount * maxRepeated);
  }, 300_000);

  it('are finished or handed back by a worker that stops', async () => {
    const { api } = onefold;
    const before = receiver.requests.length;
    const workers = Object.entries(onefold.processes).filter(([name]) =>
      name.startsWith('operations'),
    );
    receiver.answer = (_request, response) =>
      void setTimeout(() => response.writeHead(204).end(), 200);
    for (let index = 0; index < 10; index += 1)
      await api.call('accounts_create', { body: { name: `late-${index}` } });
    await until(() => receiver.requests.length > before, 60_000);
    for (const [, worker] of workers)
      if (worker.child.exitCode === null && worker.child.signalCode === null)
        expect(await worker.stop()).toEqual({ code: 0, signal: null });
    await startWorker();
    await until(() => receiver.counts().size === (accountCount + 10) * webhookCount, 60_000);
    const late = receiver.requests.slice(before).map(({ headers }) => headers['webhook-id']);
    expect(new Set(late).size).toBe(late.length);
  });

  it('end where a receiver answers 410: the webhook is disabled, in its record and in the audit trail', async () => {
    const { api } = onefold;
    receiver.answer = (_request, response) => response.writeHead(410).end();
    const { result } = await api.call('organizationWebhooks_create', {
      body: {
        filters: ['account_create'],
        environment: 'test',
        url: receiver.url,
        secret: { value: 'a signing secret' },
      },
    });
    await api.call('accounts_create', { body: { environment: 'test' } });
    const path = { webhookId: result.id };
    await until(async () => {
      const webhook = await api.call('organizationWebhooks_get', { path });
      return webhook.result.state === 'disabled';
    }, 120_000);
    const deliveries = await api.call('organizationWebhooks_list_deliveries', { path });
    expect(deliveries.result).toMatchObject([
      { status: 'failed', reason: 'disabled', attempts: [{ number: 1, status_code: 410 }] },
    ]);
    const audit = await api.call('audit_list', { query: { filter: ['code[eq]webhook_disabled'] } });
    expect(audit.result).toMatchObject([
      {
        audit_type: 'ALARM',
        path: `/v1/organization/webhooks/${result.id}`,
        response: 'the receiver answered 410 Gone',
      },
    ]);
  });
});
