import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { wholeOrganization } from '#store';
import { until } from '#test/harness';
import { maxRunsPerAccount, maxRunsPerOrganization } from '../../../libs/jobs/src/admit-runs.js';
import { integrate, receiver, request, service, useJobs, work } from '../../api/jobs-stage.js';
import { recordsDocument } from '../../proof/record-server.js';

/** Requests of jobs that the provider has not answered. */
const pending: ServerResponse[] = [];
const emptyPage = '{"total":0,"items":[]}';
const servers: Server[] = [];
let url: string;
/** True behind a test, when every request is answered. */
let isOver = false;
// A host of its own for each test: calls to one that has failed are paused.
beforeEach(async () => {
  isOver = false;
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    if (isOver) response.end(emptyPage);
    else pending.push(response);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
// Before the worker stops, which waits for its tasks.
afterEach(() => {
  isOver = true;
  for (const response of pending.splice(0)) response.end(emptyPage);
});
useJobs();
beforeAll(async () => {
  await service.call('POST', '/v1/customs', { name: 'proof', data: recordsDocument });
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** Counts runs that hold a place now. */
async function held(): Promise<number> {
  return await service.store.read(
    wholeOrganization(service.administrator.organizationId),
    async (tx) => {
      const [row] = await tx.query<{ count: string }>(
        `select count(*) from operation_runs where organization_id = $1
           and admitted_at is not null and coalesce(waiting_since, now()) <= now()`,
        [tx.scope.organizationId],
      );
      return Number(row?.count);
    },
  );
}

/** Creates an account with an integration of the provider. */
async function newDesk() {
  const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  const { id } = result.account;
  const sink = await integrate({ type: 'sink_http', url: `${receiver.url}/in` }, id);
  const desk = await integrate({ type: 'ticketing_proof', url }, id);
  return { ...desk, accountId: id, sinkId: sink.id };
}

type Desk = Awaited<ReturnType<typeof newDesk>>;
type Ending = (desk: Desk, jobs: string[]) => Promise<unknown>;

const answerAll = (answer: (response: ServerResponse) => void) => async () => {
  for (const response of pending.splice(0)) answer(response);
};
const endings: Record<string, Ending> = {
  'is cancelled before its provider answers': async ({ secret }, jobs) => {
    for (const id of jobs) await service.call('POST', `/v1/operations/${id}`, undefined, secret);
  },
  'has no integration any more': async ({ id, accountId }) => {
    await service.call('DELETE', `/v1/integrations/${accountId}/${id}`);
    for (const response of pending.splice(0)) response.destroy();
  },
  'is refused': answerAll((response) => void response.writeHead(403).end('{}')),
  'is answered with half a page': answerAll((response) => {
    response.writeHead(200, { 'content-length': 99 });
    response.write('{"items":[', () => response.destroy());
  }),
  'is answered with something else than a page': answerAll((response) => void response.end('<p>')),
  'is told to come later': answerAll(
    (response) => void response.writeHead(429, { 'retry-after': '3600' }).end('{}'),
  ),
  'is answered': answerAll((response) => void response.end(emptyPage)),
};

describe('a run of a job in the queue', () => {
  it.each(Object.entries(endings))('has no place any more when it %s', async (_, end) => {
    const desk = await newDesk();
    const jobs: string[] = [];
    for (let n = 0; n < maxRunsPerOrganization; n += 1) {
      const { status, message, result } = await request(
        { sink_integration_id: desk.sinkId },
        'ticketing_query_tickets',
        desk,
      );
      expect([status, message]).toEqual([200, '']);
      jobs.push(result.operation.id);
    }
    work(systemClock, maxRunsPerOrganization);
    await until(() => pending.length >= maxRunsPerAccount);
    expect(await held()).toBe(maxRunsPerAccount);
    await until(async () => {
      await end(desk, jobs);
      return (await held()) === 0;
    });
    await service.call('DELETE', `/v1/accounts/${desk.accountId}`);
  });
});
