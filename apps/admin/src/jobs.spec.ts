import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AdminConfiguration } from './configuration.js';
import { type Service, startService } from '../../../test/api/service.js';
import { manageJobs } from './jobs.js';
import type { Options } from './options.js';

let service: Service;
let desk: string;
let job: string;

beforeAll(async () => {
  service = await startService();
  const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  const integrate = async (config: object) => {
    const path = `/v1/integrations/${made.result.account.id}`;
    const { result } = await service.call<{
      integration: { id: string };
      token: { access: { secret: string } };
    }>('POST', path, { provider_config: config });
    return { id: result.integration.id, secret: result.token.access.secret };
  };
  const sink = await integrate({ type: 'sink_mock_sink' });
  desk = (await integrate({ type: 'ticketing_mock_ticketing' })).secret;
  const body = { operation: 'ticketing_query_tickets', input: { sink_integration_id: sink.id } };
  const created = await service.call<{ operation: { id: string } }>(
    'POST',
    '/v1/operations',
    body,
    desk,
  );
  job = created.result.operation.id;
});
afterAll(async () => {
  await service.stop();
});

const run = (options: Options) =>
  manageJobs(undefined as unknown as AdminConfiguration, service.databaseUrl, options);
const read = async () =>
  (await service.call<{ status: string }>('GET', `/v1/operations/${job}`, undefined, desk)).result;

it('lists jobs of all organizations or one', async () => {
  const line = `${job}  acme  SCHEDULED  ticketing_query_tickets  page 0, 0 records`;
  expect(await run({})).toBe(line);
  expect(await run({ organization: 'acme' })).toBe(line);
  expect(await run({ organization: 'other' })).toBe('No jobs wait or run.');
});

it('tries a job again, cancels it, and resumes it, which the audit trail has', async () => {
  expect(await run({ retry: job })).toBe(`The job ${job} is tried now.`);
  expect(await run({ cancel: job })).toBe(`The job ${job} is cancelled.`);
  expect(await read()).toMatchObject({ status: 'CANCELLED' });
  expect(await run({})).toBe('No jobs wait or run.');
  expect(await run({ retry: job })).toBe(`The job ${job} is resumed.`);
  expect(await read()).toMatchObject({ status: 'SCHEDULED' });
  const { result } = await service.call(
    'GET',
    '/v1/audit/organizations?filter=user_agent[eq]command%20line',
  );
  const codes = (result as unknown as { code: string }[]).map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['operation_cancelled', 'operation_retried']));
});

it('says which job does not exist', async () => {
  await expect(run({ cancel: 'opr_nothing' })).rejects.toThrow('There is no job "opr_nothing"');
  await expect(run({ cancel: job, retry: job })).rejects.toThrow('Say one');
});
