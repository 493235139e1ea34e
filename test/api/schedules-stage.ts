import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { ListedRows } from './listed-rows.js';
import { type Service, startService } from './service.js';
import { SimulatedWorker } from './simulated-worker.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export interface Job {
  id: string;
  status: string;
  errors?: { message: string }[];
  schedule?: { operation: string; frequency: { value: string } };
  integration_id: string;
}
export interface Integrated {
  integration: { id: string; scheduled_operations?: object[] };
  token: { access: { secret: string } };
}

export let service: Service;
export let listed: ListedRows;
export let receiver: EventReceiver;
export let worker: SimulatedWorker;
export let account: string;
export let sink: string;

/** The integration of the running spec, which is deleted after it. */
export let made: { id: string; secret: string } | undefined;

export async function integrate(body: object) {
  const { status, message, result } = await service.call<Integrated>(
    'POST',
    `/v1/integrations/${account}`,
    body,
  );
  expect([status, message]).toEqual([200, '']);
  return { id: result.integration.id, secret: result.token.access.secret };
}

export const entry = (more: object = {}) => ({
  operation: 'siem_query_events',
  enabled: true,
  sink_integration_id: sink,
  frequency: { type: 'periodic', value: '1h' },
  ...more,
});

export async function schedule(...entries: object[]): Promise<string> {
  made = await integrate({
    provider_config: { type: 'siem_rows' },
    scheduled_operations: entries,
  });
  return made.id;
}

export const path = () => `/v1/integrations/${account}/${made?.id ?? ''}`;
export const patch = async (...operations: object[]) => {
  const { status, message } = await service.call('PATCH', path(), operations);
  expect([status, message]).toEqual([200, '']);
};

export async function jobs(id = made?.id): Promise<Job[]> {
  const { result } = await service.call<Job[]>('GET', `/v1/jobs?filter=integration_id[eq]${id}`);
  return result;
}

export async function runs(): Promise<
  { status: string; started_at: string; trigger_source: string }[]
> {
  const { result } = await service.call(
    'GET',
    `/v1/jobs/history?limit=500&filter=integration_id[eq]${made?.id ?? ''}`,
  );
  return result as never;
}

export const received = () => receiver.requests.flatMap(({ events }) => events as { id: string }[]);

/** Starts what the specs of schedules share: the API, a provider of rows, a sink and a worker with a clock of its own. */
export function useSchedules(): void {
  beforeAll(async () => {
    service = await startService();
    listed = await ListedRows.start(service);
    receiver = await EventReceiver.start();
    const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
    account = made.result.account.id;
    sink = (await integrate({ provider_config: { type: 'sink_http', url: receiver.url } })).id;
  });
  beforeEach(() => {
    worker = new SimulatedWorker(service);
    listed.rows = [{ id: 'a', time: '2026-01-01T00:00:00Z' }];
    listed.status = 200;
  });
  afterEach(async () => {
    await worker.stop();
    await service.call('DELETE', `/v1/integrations/${account}/${made?.id ?? ''}`);
    made = undefined;
    receiver.requests = [];
    listed.requests = [];
  });
  afterAll(async () => {
    await service.stop();
    await listed.stop();
    await receiver.stop();
  });
}

/** Connects the provider of rows without a schedule. */
export async function connectRows(): Promise<{ id: string; secret: string }> {
  made = await integrate({ provider_config: { type: 'siem_rows' } });
  return made;
}

export function setMade(one: { id: string; secret: string }): void {
  made = one;
}
