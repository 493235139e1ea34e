import { expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { maxRunsPerOrganization } from '../../libs/jobs/src/admit-runs.js';
import {
  create,
  ended,
  integrate,
  pageRecords,
  receiver,
  request,
  service,
  tickets,
  useJobs,
  work,
} from '../api/jobs-stage.js';

useJobs();

it('long lists of one account let the job of another account begin after a page each', async () => {
  const pages = Math.ceil((await tickets()).length / pageRecords);
  expect(pages).toBeGreaterThan(2); // or they would end before
  const long: string[] = [];
  for (let n = 0; n < maxRunsPerOrganization + 2; n += 1) long.push((await create()).id);
  const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  const theirs = await integrate({ type: 'ticketing_mock_ticketing' }, result.account.id);
  const config = { type: 'sink_http', url: `${receiver.url}/other` };
  const sink = await integrate(config, result.account.id);
  const made = await request({ sink_integration_id: sink.id }, 'ticketing_query_tickets', theirs);
  expect(made.status).toBe(200);
  work(systemClock, 1);
  await Promise.all(long.map(ended));
  const first = receiver.requests.findIndex(({ path }) => path === '/other');
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThanOrEqual(maxRunsPerOrganization);
});
