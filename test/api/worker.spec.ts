import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openOperations, type OpenOperations } from '#apps/operations';
import { Health, Metrics } from '#observe';
import { Receiver } from '#test/harness';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { type Service, startService } from './service.js';

interface Integrated {
  integration: { id: string };
  token: { access: { secret: string } };
}

const concurrentDeliveries = 2;
let service: Service;
let slow: Receiver;
let receiver: EventReceiver;
/** Requests that the slow receiver has not answered. */
const held: { path: string; response: ServerResponse }[] = [];
let operations: OpenOperations;
const metrics = new Metrics('spec');
beforeAll(async () => {
  service = await startService();
  slow = await Receiver.start();
  receiver = await EventReceiver.start();
});
afterAll(async () => {
  await slow.stop(); // ends what hangs
  await operations.drain();
  await operations.close();
  await service.stop();
  await receiver.stop();
});

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((settle) => setTimeout(settle, 20));
}

describe('a worker', () => {
  it('runs jobs while receivers hold all places of deliveries', async () => {
    slow.answer = ({ path }, response) => held.push({ path, response });
    const webhooks = '/v1/organization/webhooks';
    let last = '';
    for (let n = 0; n <= concurrentDeliveries + 1; n += 1) {
      const url = `${slow.url}${n}`;
      const secret = { value: 'a signing secret that nobody shows' };
      const body = { filters: ['account_create'], url, secret };
      const { status, result } = await service.call<{ id: string }>('POST', webhooks, body);
      expect(status).toBe(200);
      last = result.id;
    }
    const pause = [{ op: 'replace', path: '/state', value: 'paused' }];
    expect((await service.call('PATCH', `${webhooks}/${last}`, pause)).status).toBe(200);
    const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
    const integrate = async (config: object) => {
      const path = `/v1/integrations/${made.result.account.id}`;
      return (await service.call<Integrated>('POST', path, { provider_config: config })).result;
    };
    const desk = await integrate({ type: 'ticketing_mock_ticketing' });
    const sink = await integrate({ type: 'sink_http', url: `${receiver.url}/in` });
    const slowSink = await integrate({ type: 'sink_http', url: `${slow.url}in` });
    const create = async (sinkId: string) => {
      const input = { sink_integration_id: sinkId };
      const body = { operation: 'ticketing_query_tickets', input };
      const { access } = desk.token;
      const made = await service.call<{ operation: { id: string } }>(
        'POST',
        '/v1/operations',
        body,
        access.secret,
      );
      expect(made.message).toBe('');
      return made.result.operation.id;
    };
    await create(slowSink.integration.id); // it holds one of two places of jobs
    operations = await openOperations({
      databaseUrl: service.databaseUrl,
      databasePool: 4,
      bus: service.bus,
      sealer: service.sealer,
      health: new Health(),
      metrics,
      concurrentTasks: 2,
      concurrentDeliveries,
      jobPageRecords: 50,
      egressAllow: ['127.0.0.1'],
    });
    const isSlow = (isJob: boolean) =>
      slow.requests.filter(({ path }) => (path === '/in') === isJob).length;
    await until(() => isSlow(false) === concurrentDeliveries && isSlow(true) === 1);
    const path = `/v1/operations/${await create(sink.integration.id)}`;
    await until(async () => {
      const { secret } = desk.token.access;
      const { result } = await service.call<{ status: string }>('GET', path, undefined, secret);
      return result.status === 'COMPLETE';
    });
    // No delivery has ended meanwhile, or the third would have been sent.
    expect(isSlow(false)).toBe(concurrentDeliveries);
    expect(receiver.requests.length).toBeGreaterThan(0);
  });

  it('says in its metrics how much waits, how long, what was done, and counts failures by reason', async () => {
    const read = async () => {
      const lines = (await metrics.registry.metrics()).split('\n');
      const samples = lines.filter((line) => line.startsWith('onefold_'));
      return new Map(
        samples.map((line) => {
          const [name = '', value] = line.replace(/,?service="spec",?/, '').split(' ');
          return [name.replace('{}', ''), Number(value)];
        }),
      );
    };
    const now = await read();
    const records = receiver.requests.flatMap(({ events }) => events).length;
    const bytes = receiver.requests.reduce((sum, { body }) => sum + body.length, 0);
    expect(Object.fromEntries(now)).toMatchObject({
      onefold_tasks_waiting: expect.any(Number),
      onefold_tasks_delayed: expect.any(Number),
      onefold_tasks_running: expect.any(Number),
      onefold_tasks_failed: 0,
      onefold_task_oldest_seconds: expect.any(Number),
      onefold_jobs_waiting: 0,
      onefold_jobs_failing: 0,
      onefold_job_oldest_seconds: 0,
      onefold_deliveries_waiting: concurrentDeliveries + 1,
      onefold_deliveries_held: 1,
      onefold_job_records_total: records,
      onefold_job_bytes_total: bytes,
    });
    expect(now.get('onefold_jobs_running')).toBeGreaterThanOrEqual(1);
    expect(now.get('onefold_delivery_oldest_seconds')).toBeGreaterThan(0);

    const answer = (path: string, response: ServerResponse) =>
      response.writeHead(path === '/in' ? 503 : path === '/0' ? 204 : 500).end();
    slow.answer = ({ path }, response) => void answer(path, response);
    for (const { path, response } of held) answer(path, response);
    const pages = 'onefold_job_page_failures_total{reason="writing_unavailable"}';
    const attempts = (outcome: string) => `onefold_delivery_attempts_total{outcome="${outcome}"}`;
    // Each is counted once at least: what has timed out on a slow machine is tried again.
    const expected = [pages, attempts('delivered'), attempts('status_5xx')];
    await until(async () => {
      const counted = await read();
      return expected.every((name) => (counted.get(name) ?? 0) > 0);
    });
    const known = /\{(?:reason|outcome)="(?:writing_unavailable|delivered|status_5xx|timeout)"\}$/;
    const counters = /^onefold_(?:job_page_failures|delivery_attempts)_total/;
    const names = [...(await read()).keys()].filter((name) => counters.test(name));
    expect(names.filter((name) => !known.test(name))).toEqual([]);
  });
});
