import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type pg from 'pg';
import { createIds, systemClock } from '#config';
import { JobRunner, type RunLimits } from '#jobs';
import { QueueWorker } from '#queue';
import { openPool } from '#store';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { type Service, startService } from './service.js';

export interface Integrated {
  id: string;
  secret: string;
}

export interface Job {
  id: string;
  status: string;
  errors?: { message: string }[];
  cpu_time: number;
  in_bytes: number;
  output_integration_id: string;
}

export const pageRecords = 5;
export let service: Service;
export let receiver: EventReceiver;
export let pool: pg.Pool;
export let account: string;
export let desk: Integrated;
export let sink: Integrated;
export let worker: QueueWorker | undefined;
export interface SinkAnswer {
  status: number;
  delayMs?: number;
  body?: string;
  headers?: Record<string, string>;
}
/** Responses of the sink to the next requests; it takes the others. */
export let answers: (SinkAnswer | undefined)[] = [];

export async function integrate(config: object, of = account, token?: string): Promise<Integrated> {
  const { result } = await service.call<{
    integration: { id: string };
    token: { access: { secret: string } };
  }>('POST', `/v1/integrations/${of}`, { provider_config: config }, token);
  return { id: result.integration.id, secret: result.token.access.secret };
}

export function work(clock = systemClock, concurrency = 4, runLimits?: RunLimits): void {
  const { store, bus } = service;
  const parts = {
    store,
    bus,
    clock,
    ids: createIds(),
    pageRecords,
    ...(runLimits && { runLimits }),
  };
  const { handlers } = new JobRunner({ ...parts, onRecords: () => undefined });
  worker = new QueueWorker({ pool, handlers, concurrency });
  worker.start();
}

export const request = (input: object = {}, operation = 'ticketing_query_tickets', of = desk) =>
  service.call<{ operation: Job }>(
    'POST',
    '/v1/operations',
    { operation, input: { sink_integration_id: sink.id, ...input } },
    of.secret,
  );

export async function create(input: object = {}): Promise<Job> {
  const { status, message, result } = await request(input);
  expect([status, message]).toEqual([200, '']);
  return result.operation;
}

export async function read(id: string): Promise<Job> {
  const { result } = await service.call<Job>('GET', `/v1/operations/${id}`, undefined, desk.secret);
  return result;
}

export async function until(id: string, done: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await read(id);
    if (done(job)) return job;
    await new Promise((settle) => setTimeout(settle, 20));
  }
}

export const ended = (id: string) =>
  until(id, ({ status }) => ['COMPLETE', 'CANCELLED'].includes(status));

export async function executions(id: string): Promise<Record<string, unknown>[]> {
  const { result } = await service.call(
    'GET',
    `/v1/jobs/history?filter=operation_id[eq]${encodeURIComponent(id)}`,
  );
  return result as unknown as Record<string, unknown>[];
}

/** All tickets, as a client gets them. */
export async function tickets(query = ''): Promise<{ id: string }[]> {
  const path = `/v1/ticketing/tickets?limit=1000${query}`;
  const { result } = await service.call('GET', path, undefined, desk.secret);
  return result as unknown as { id: string }[];
}

export const received = () =>
  receiver.requests.flatMap(({ events }) => (events as { id: string }[]).map(({ id }) => id));
export const batches = () => receiver.requests.map(({ headers }) => headers['idempotency-key']);

/** Lets tasks that wait for their time run now. */
export async function makeDue(): Promise<void> {
  await pool.query('update graphile_worker._private_jobs set run_at = now()');
}

/** Starts what the specs of jobs share: the API, a source and a sink. */
export function useJobs(): void {
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
}

/** Sets the integration that jobs read. */
export function setDesk(next: Integrated): void {
  desk = next;
}

/** Sets the responses of the sink to the next requests. */
export function setAnswers(next: (SinkAnswer | undefined)[]): void {
  answers = next;
}
