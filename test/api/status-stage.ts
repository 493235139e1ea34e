import { afterAll, beforeAll, expect } from '@jest/globals';
import { type UsageBatch, type UsageCounts } from '#store';
import { type Service, startService } from './service.js';

export let service: Service;

/** Starts the API for the specs of states and counts. */
export function useStatus(): void {
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(async () => {
    await service.stop();
  });
}

export interface Made {
  accountId: string;
  integrationId: string;
}

export interface Series {
  start_time: string;
  end_time: string;
  interval: string;
  series: {
    created_at: string;
    succeeded: number;
    failed: number;
    job_requests: number;
    in_bytes: number;
    duration_p50?: number;
    duration_p95?: number;
  }[];
}

/** Creates an integration in a new account. */
export async function make(labels: string[] = [], name?: string): Promise<Made> {
  const { result } = await service.call('POST', '/v1/accounts', { labels });
  const accountId = (result['account'] as unknown as { id: string }).id;
  return { accountId, integrationId: await integrate(accountId, name) };
}
export async function integrate(accountId: string, name?: string): Promise<string> {
  const made = await service.call('POST', `/v1/integrations/${accountId}`, {
    ...(name === undefined ? {} : { name }),
    provider_config: { type: 'ticketing_mock_ticketing' },
  });
  expect([made.status, made.message]).toEqual([200, '']);
  return (made.result['integration'] as unknown as { id: string }).id;
}

export let last = 0;
export const minute = 60_000;
export const thisMinute = () => Math.floor(Date.now() / minute) * minute;

export function counts(made: Made, numbers: Partial<UsageCounts> = {}): UsageCounts {
  const { organizationId } = service.administrator;
  return {
    organizationId,
    ...made,
    minute: thisMinute(),
    requests: 3,
    failed: 1,
    cpuTime: 250.4,
    dbOps: 2,
    apiOps: 4,
    inBytes: 10,
    outBytes: 20,
    jobRequests: 2,
    ...numbers,
  };
}
export async function count(batch: Partial<UsageBatch>): Promise<void> {
  last += 1;
  await service.store.addUsage({
    source: 'spec',
    number: last,
    counts: [],
    states: [],
    ...batch,
  });
}
export const path = ({ accountId, integrationId }: Made) =>
  `/v1/status/${accountId}/${integrationId}`;
export async function status(made: Made): Promise<Record<string, unknown>> {
  const answer = await service.call('GET', path(made));
  expect([answer.status, answer.message]).toEqual([200, '']);
  return answer.result;
}
export async function series(at: string): Promise<Series> {
  const answer = await service.call('GET', at);
  expect([answer.status, answer.message]).toEqual([200, '']);
  return answer.result as unknown as Series;
}
export const total = ({ series: parts }: Series) =>
  parts.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
export const ids = (result: unknown) =>
  (result as { integration_id: string }[]).map(({ integration_id: id }) => id);
