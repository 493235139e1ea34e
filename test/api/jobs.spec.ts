import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createIds, systemClock } from '#config';
import { JobRunner } from '#jobs';
import { QueueWorker } from '#queue';
import { openPool } from '#store';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { type Service, startService } from './service.js';

interface Integrated {
  id: string;
  secret: string;
}

interface Job {
  id: string;
  status: string;
  errors?: { message: string }[];
  cpu_time: number;
  in_bytes: number;
  output_integration_id: string;
}

const pageRecords = 5;
let service: Service;
let receiver: EventReceiver;
let pool: pg.Pool;
let account: string;
let desk: Integrated;
let sink: Integrated;
let worker: QueueWorker | undefined;
interface SinkAnswer {
  status: number;
  delayMs?: number;
  body?: string;
  headers?: Record<string, string>;
}
/** Responses of the sink to the next requests; it takes the others. */
let answers: (SinkAnswer | undefined)[] = [];

beforeAll(async () => {
  service = await startService();
  receiver = await EventReceiver.start();
  receiver.fault = () => answers.shift();
  pool = openPool({ url: service.databaseUrl, poolSize: 5 });
  const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  account = made.result.account.id;
  desk = await integrate({ type: 'ticketing_mock_ticketing' });
  sink = await integrate({ type: 'sink_http', url: `${receiver.url}/in` });
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  receiver.requests = [];
  answers = [];
});
afterAll(async () => {
  await pool.end();
  await service.stop();
  await receiver.stop();
});

async function integrate(config: object, of = account, token?: string): Promise<Integrated> {
  const { result } = await service.call<{
    integration: { id: string };
    token: { access: { secret: string } };
  }>('POST', `/v1/integrations/${of}`, { provider_config: config }, token);
  return { id: result.integration.id, secret: result.token.access.secret };
}

function work(clock = systemClock, concurrency = 4): void {
  const { store, bus } = service;
  const parts = { store, bus, clock, ids: createIds(), pageRecords };
  const { handlers } = new JobRunner({ ...parts, onRecords: () => undefined });
  worker = new QueueWorker({ pool, handlers, concurrency });
  worker.start();
}

const request = (input: object = {}, operation = 'ticketing_query_tickets', of = desk) =>
  service.call<{ operation: Job }>(
    'POST',
    '/v1/operations',
    { operation, input: { sink_integration_id: sink.id, ...input } },
    of.secret,
  );

async function create(input: object = {}): Promise<Job> {
  const { status, message, result } = await request(input);
  expect([status, message]).toEqual([200, '']);
  return result.operation;
}

async function read(id: string): Promise<Job> {
  const { result } = await service.call<Job>('GET', `/v1/operations/${id}`, undefined, desk.secret);
  return result;
}

async function until(id: string, done: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await read(id);
    if (done(job)) return job;
    await new Promise((settle) => setTimeout(settle, 20));
  }
}

const ended = (id: string) => until(id, ({ status }) => ['COMPLETE', 'CANCELLED'].includes(status));

async function executions(id: string): Promise<Record<string, unknown>[]> {
  const { result } = await service.call(
    'GET',
    `/v1/jobs/history?filter=operation_id[eq]${encodeURIComponent(id)}`,
  );
  return result as unknown as Record<string, unknown>[];
}

/** All tickets, as a client gets them. */
async function tickets(query = ''): Promise<{ id: string }[]> {
  const path = `/v1/ticketing/tickets?limit=1000${query}`;
  const { result } = await service.call('GET', path, undefined, desk.secret);
  return result as unknown as { id: string }[];
}

const received = () =>
  receiver.requests.flatMap(({ events }) => (events as { id: string }[]).map(({ id }) => id));
const batches = () => receiver.requests.map(({ headers }) => headers['idempotency-key']);

describe('a job', () => {
  it('writes every record of the list to the sink, in pages with stable ids, and is measured', async () => {
    const all = await tickets();
    expect(all.length).toBeGreaterThan(pageRecords * 2);
    const job = await create();
    expect(job).toMatchObject({ status: 'SCHEDULED', output_integration_id: sink.id });
    work();
    expect(await ended(job.id)).toMatchObject({ status: 'COMPLETE' });
    expect(received()).toEqual(all.map(({ id }) => id));
    const [run] = await executions(job.id);
    const bytes = receiver.requests.reduce((sum, { body }) => sum + body.length, 0);
    expect(run).toMatchObject({
      ...{ operation_id: job.id, trigger_type: 'API', trigger_source: 'manual' },
      ...{ status: 'COMPLETE', records_processed: all.length, in_bytes: bytes },
    });
    expect(run?.['cpu_time']).toBeGreaterThan(0);
    expect(run?.['duration']).toBeGreaterThan(0);
    expect(run?.['final_cursor']).toEqual(expect.any(String));
    expect(batches()).toEqual(
      receiver.requests.map((_, page) => `${String(run?.['execution_id'])}-${page}`),
    );
    expect(await read(job.id)).toMatchObject({ in_bytes: bytes, cpu_time: run?.['cpu_time'] });
  });

  it('ends at its limit, and applies its filters', async () => {
    work();
    const [first] = await tickets();
    const few = await create({ limit: pageRecords + 1 });
    await ended(few.id);
    expect(received()).toHaveLength(pageRecords + 1);
    receiver.requests = [];
    const one = await create({ filters: [`id[eq]${first?.id ?? ''}`] });
    await ended(one.id);
    expect(received()).toEqual([first?.id]);
  });

  it('is the same for a repeated request with one Idempotency-Key', async () => {
    const post = async () => {
      const response = await fetch(`${service.url}/v1/operations`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${desk.secret}`, 'content-type': 'application/json' },
          'idempotency-key': 'once',
        },
        body: JSON.stringify({
          operation: 'ticketing_query_tickets',
          input: { sink_integration_id: sink.id },
        }),
      });
      return ((await response.json()) as { result: { operation: Job } }).result.operation.id;
    };
    const id = await post();
    expect(await post()).toBe(id);
    work();
    await ended(id);
  });

  it('counts in status, series and billing as calls of clients do, marked as such', async () => {
    const [source, target] = [
      await integrate({ type: 'ticketing_mock_ticketing' }),
      await integrate({ type: 'sink_http', url: `${receiver.url}/in` }),
    ];
    const tickets = '/v1/ticketing/tickets?limit=1';
    expect((await service.call('GET', tickets, undefined, source.secret)).status).toBe(200);
    const input = { sink_integration_id: target.id, limit: pageRecords * 2 };
    const { result } = await request(input, 'ticketing_query_tickets', source);
    work();
    const job = `/v1/operations/${result.operation.id}`;
    for (const [{ id }, clients] of [
      [source, 2], // the list, and the creation of the job
      [target, 0],
    ] as const) {
      const counted = { requests: 2 + clients, job_requests: 2 };
      const path = `/v1/status/${account}/${id}`;
      while ((await service.call<typeof counted>('GET', path)).result.requests < counted.requests)
        await new Promise((settle) => setTimeout(settle, 20));
      expect((await service.call('GET', path)).result).toMatchObject({ ...counted, failed: 0 });
      const series = await service.call<{ series: object[] }>('GET', `${path}/timeseries`);
      expect(series.result.series.at(-1)).toMatchObject({
        ...{ succeeded: counted.requests, failed: 0, job_requests: 2 },
      });
      const billing = await service.call<{ csv_data: string }>('GET', '/v1/billing/acme/partial');
      const lines = billing.result.csv_data.split('\r\n').map((line) => line.split(','));
      const line = lines.find((cells) => cells.includes(id)) ?? [];
      const cell = (name: string) => line[lines[0]?.indexOf(name) ?? -1];
      expect([cell('requests'), cell('job_requests')]).toEqual([`${counted.requests}`, '2']);
    }
    const end = await service.call('GET', job, undefined, source.secret);
    expect(end.result).toMatchObject({ status: 'COMPLETE' });
  });

  it('outlives the token that made it, of whose member the audit trail knows', async () => {
    const other = await integrate({ type: 'ticketing_mock_ticketing' });
    const made = await service.call<{ secret: string }>(
      ...(['POST', `/v1/tokens/${account}/${other.id}`, {}] as const),
    );
    const maker = { id: other.id, secret: made.result.secret };
    const self = await service.call<{ token: { id: string } }>(
      ...(['GET', '/v1/tokens/self/info', undefined, maker.secret] as const),
    );
    const { status, result } = await request({}, 'ticketing_query_tickets', maker);
    expect(status).toBe(200);
    expect((await service.call('DELETE', `/v1/tokens/${self.result.token.id}`)).status).toBe(204);
    const path = `/v1/operations/${result.operation.id}`;
    const state = async ({ secret }: Integrated) =>
      (await service.call<Job>('GET', path, undefined, secret)).result.status;
    while ((await state(maker)) !== undefined) await new Promise(setImmediate);
    work();
    while ((await state(other)) !== 'COMPLETE')
      await new Promise((settle) => setTimeout(settle, 20));
    const query = `filter=integration_id[eq]${other.id}&filter=path[eq]/v1/operations`;
    let audit: object[] = []; // gateways write what they saw within half a second
    while (audit.length === 0)
      audit = (await service.call<object[]>('GET', `/v1/audit/organizations?${query}`)).result;
    const { memberId } = service.administrator;
    expect(audit).toMatchObject([
      { method: 'POST', code: '200', account_id: account, member_id: memberId },
    ]);
  });

  it('is of its integration alone', async () => {
    const job = await create();
    const other = await integrate({ type: 'ticketing_mock_ticketing' });
    for (const method of ['GET', 'POST']) {
      const path = `/v1/operations/${job.id}`;
      expect((await service.call(method, path, undefined, other.secret)).status).toBe(404);
    }
    work();
    await ended(job.id);
  });
});

describe('a job is refused before it is accepted', () => {
  it('for an operation that the provider does not offer, naming those that it does', async () => {
    for (const operation of ['edr_query_alerts', 'ticketing_create_ticket', 'nothing']) {
      const { status, message, remediation } = await request({}, operation);
      expect([status, message]).toEqual([400, expect.stringContaining('/operation')]);
      expect(remediation).toContain('ticketing_query_tickets');
    }
  });

  it.each([
    [{ filters: ['nothing[eq]1'] }, '/input/filters'],
    [{ filters: ['created_at[gte]yesterday'] }, '/input/filters'],
    [{ limit: 0 }, '/input/limit'],
    [{ sink_integration_id: null }, '/input/sink_integration_id'],
    [{ sink_integration_id: 'nothing' }, '/input/sink_integration_id'],
  ])('for %j', async (input, pointer) => {
    const { status, message } = await request(input);
    expect([status, message]).toEqual([400, expect.stringContaining(pointer)]);
  });

  it('for a sink of another account, and for an integration of another domain', async () => {
    const other = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
    const config = { type: 'sink_http', url: `${receiver.url}/in` };
    const foreign = await integrate(config, other.result.account.id);
    for (const { id } of [foreign, desk])
      expect((await request({ sink_integration_id: id })).status).toBe(400);
  });
});

describe('a job that cannot go on', () => {
  it('is cancelled within a page, once', async () => {
    const job = await create();
    answers = [{ status: 200, delayMs: 500 }];
    work();
    await until(job.id, () => receiver.requests.length > 0);
    const cancel = () => service.call('POST', `/v1/operations/${job.id}`, undefined, desk.secret);
    expect((await cancel()).status).toBe(204);
    expect((await cancel()).status).toBe(204);
    await worker?.stop();
    expect(receiver.requests).toHaveLength(1);
    expect(await read(job.id)).toMatchObject({ status: 'CANCELLED' });
    expect(await executions(job.id)).toMatchObject([{ status: 'CANCELLED' }]);
  });

  it('waits for a sink that refuses, says so, and repeats the batch with the same id', async () => {
    answers = [{ status: 200 }, { status: 503 }];
    work();
    const job = await create();
    const waiting = await until(job.id, ({ errors }) => errors !== undefined);
    expect(waiting).toMatchObject({
      status: 'PROCESSING',
      errors: [{ message: expect.stringContaining('writing page 1 to the sink') }],
    });
    expect(await ended(job.id)).toMatchObject({ status: 'COMPLETE' });
    const [, second, third] = batches();
    expect(third).toBe(second);
  });

  it('leaves its place to others while the sink has asked to wait', async () => {
    answers = [{ status: 429, headers: { 'retry-after': '3600' } }];
    work(systemClock, 1);
    const limited = await create();
    await until(limited.id, ({ errors }) => errors !== undefined);
    const other = await create();
    expect(await ended(other.id)).toMatchObject({ status: 'COMPLETE' });
    expect(await read(limited.id)).toMatchObject({ status: 'PROCESSING' });
    await service.call('POST', `/v1/operations/${limited.id}`, undefined, desk.secret);
  });

  it('is cancelled with the reason after a day', async () => {
    // A NUL is nothing that the database can store.
    const refusal = { status: 503, body: '{"error":{"message":"closed\\u0000 until May"}}' };
    answers = [refusal];
    let now = Date.now();
    work({ now: () => now });
    const job = await create();
    await until(job.id, ({ errors }) => errors !== undefined);
    await worker?.stop();
    now += 86_400_000;
    answers = [refusal];
    await makeDue();
    work({ now: () => now });
    const end = await ended(job.id);
    const reason = expect.stringMatching(
      /^writing page 0 to the sink: .*answered 503: .*until May/,
    );
    expect(end).toMatchObject({
      ...{ status: 'CANCELLED', errors: [{ message: reason }, { message: reason }] },
    });
    expect(await executions(job.id)).toMatchObject([{ status: 'CANCELLED', error: reason }]);
  });

  it('is cancelled at once by a record that the sink never takes, which it names', async () => {
    const [, , third] = await tickets();
    receiver.fault = ({ body }) =>
      body.includes(`"id":"${third?.id}"`) ? { status: 413 } : answers.shift();
    work();
    const job = await create();
    const end = await ended(job.id);
    receiver.fault = () => answers.shift();
    expect(end.status).toBe('CANCELLED');
    expect(end.errors).toEqual([
      {
        message: expect.stringMatching(
          /^writing page 0 to the sink: record 2 of the page is too large .* JOB_PAGE_RECORDS/,
        ),
      },
    ]);
  });

  it('is cancelled when its sink is deleted between two pages, and keeps what was written', async () => {
    const leaving = await integrate({ type: 'sink_http', url: `${receiver.url}/in` });
    const job = await create({ sink_integration_id: leaving.id });
    answers = [{ status: 200, delayMs: 200 }];
    work();
    await until(job.id, () => receiver.requests.length > 0);
    await worker?.stop(); // ends with the page that it is writing
    expect(await read(job.id)).toMatchObject({ status: 'PROCESSING' });
    await service.call('DELETE', `/v1/integrations/${account}/${leaving.id}`);
    work();
    const reason = `the sink ${leaving.id} was deleted`;
    expect(await ended(job.id)).toMatchObject({
      ...{ status: 'CANCELLED', errors: [{ message: reason }] },
    });
    expect(await executions(job.id)).toMatchObject([
      { status: 'CANCELLED', error: reason, records_processed: pageRecords },
    ]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('is cancelled when its sink is deleted while a page is written to it', async () => {
    const leaving = await integrate({ type: 'sink_http', url: `${receiver.url}/in` });
    answers = [{ status: 503, delayMs: 200 }];
    work();
    const job = await create({ sink_integration_id: leaving.id });
    await until(job.id, () => receiver.requests.length > 0);
    await service.call('DELETE', `/v1/integrations/${account}/${leaving.id}`);
    await until(job.id, ({ errors }) => errors !== undefined);
    await makeDue();
    const { status, errors } = await ended(job.id);
    expect([status, errors?.at(-1)?.message]).toEqual([
      'CANCELLED',
      `the sink ${leaving.id} was deleted`,
    ]);
  });

  it('is cancelled when its sink is deleted', async () => {
    const gone = await integrate({ type: 'sink_http', url: `${receiver.url}/in` });
    const job = await create({ sink_integration_id: gone.id });
    await service.call('DELETE', `/v1/integrations/${account}/${gone.id}`);
    work();
    const end = await ended(job.id);
    expect(end.status).toBe('CANCELLED');
    expect(end.errors?.[0]?.message).toContain(`the sink ${gone.id} was deleted`);
  });

  it('ends with its integration, and leaves its place to the next', async () => {
    const leaving = await integrate({ type: 'ticketing_mock_ticketing' });
    for (let n = 0; n < 4; n += 1) await request({}, 'ticketing_query_tickets', leaving);
    const job = await create(); // has to wait: the organization has four others
    await service.call('DELETE', `/v1/integrations/${account}/${leaving.id}`);
    work();
    expect(await ended(job.id)).toMatchObject({ status: 'COMPLETE' });
    expect(new Set(batches()).size).toBe(batches().length);
  });
});

describe('the end of a job', () => {
  const webhooks = '/v1/organization/webhooks';
  interface Event {
    event: string;
    payload: Record<string, unknown>;
  }
  async function listen(filters: string[], environment = 'prod'): Promise<() => Promise<Event[]>> {
    const { status, result } = await service.call<{ id: string }>('POST', webhooks, {
      ...{ filters, environment, url: 'https://hooks.example.com/jobs' },
      secret: { value: 'a signing secret that nobody shows' },
    });
    expect(status).toBe(200);
    const path = `${webhooks}/${result.id}/deliveries`;
    return async () => (await service.call<Event[]>('GET', path)).result;
  }

  it('is told once to the webhooks of its environment that want it, with the job', async () => {
    const heard = await listen(['operation_complete']);
    const unheard = [await listen(['account_create']), await listen(['all'], 'test')];
    work();
    const { id } = await create({ limit: pageRecords + 1 });
    const { updated_at, ...job } = (await ended(id)) as Job & Record<string, unknown>;
    const events = await heard();
    expect(events).toMatchObject([
      {
        event: 'operation_complete',
        payload: {
          ...{ event: 'operation_complete', nonce: expect.stringMatching(/^[0-9a-f]{32}$/) },
          ...{ id, updated_at, status: 'COMPLETE', operation: 'ticketing_query_tickets' },
          ...{ account_id: account, integration_id: desk.id, created_at: job['created_at'] },
          input: { limit: pageRecords + 1, sink_integration_id: sink.id },
        },
      },
    ]);
    expect(events[0]?.payload).not.toHaveProperty('errors');
    for (const events of unheard) expect(await events()).toEqual([]);
  });

  it('is told when it is cancelled, by request once and for a reason with its errors', async () => {
    const heard = await listen(['operation_complete']);
    const { id } = await create();
    for (let n = 0; n < 2; n += 1)
      await service.call('POST', `/v1/operations/${id}`, undefined, desk.secret);
    expect(await heard()).toMatchObject([{ payload: { id, status: 'CANCELLED' } }]);
    const gone = await integrate({ type: 'sink_http', url: `${receiver.url}/in` });
    const job = await create({ sink_integration_id: gone.id });
    await service.call('DELETE', `/v1/integrations/${account}/${gone.id}`);
    work();
    await ended(job.id);
    const payloads = (await heard()).map(({ payload }) => payload);
    expect(payloads).toHaveLength(2);
    expect(payloads.find((one) => one['id'] === job.id)).toMatchObject({
      status: 'CANCELLED',
      errors: [{ message: expect.stringContaining(`the sink ${gone.id} was deleted`) }],
    });
  });
});

describe('organizations', () => {
  it('take turns: many jobs of one do not delay the job of another', async () => {
    const many = [];
    for (let n = 0; n < 8; n += 1) many.push(await create());
    const { access } = await service.organization('neighbour');
    const { result } = await service.call<{ account: { id: string } }>(
      ...(['POST', '/v1/accounts', {}, access] as const),
    );
    const home = result.account.id;
    const theirs = await integrate({ type: 'ticketing_mock_ticketing' }, home, access);
    const config = { type: 'sink_http', url: `${receiver.url}/neighbour` };
    const own = await integrate(config, home, access);
    const made = await request({ sink_integration_id: own.id }, 'ticketing_query_tickets', theirs);
    expect(made.status).toBe(200);
    work(systemClock, 1);
    await Promise.all(many.map(({ id }) => ended(id)));
    // Four jobs of the first organization were in the queue before it.
    expect(receiver.requests.findIndex(({ path }) => path === '/neighbour')).toBe(4);
  });
});

/** Lets tasks that wait for their time run now. */
async function makeDue(): Promise<void> {
  await pool.query('update graphile_worker._private_jobs set run_at = now()');
}
