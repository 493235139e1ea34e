import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Envelope, MessageBus } from '#bus';
import { type Service, startService } from './service.js';
import { SimulatedWorker } from './simulated-worker.js';

/** Large pages, because most of the time of a page is that of its transactions. */
const pageRecords = 5_000;
const pages = 200;
/** All pages as text are 30 MB, and several times as much as objects. */
const maxGrowth = 10_000_000;

let service: Service;
let worker: SimulatedWorker;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await worker.stop();
  await service.stop();
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function usedBytes(): number {
  for (let round = 0; round < 3; round += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// The processes and their resident memory: npm run bench -- worker.
it('a job of a million records keeps no more memory than one of a tenth of them', async () => {
  const rows = Array.from({ length: pageRecords }, (_, n) => ({
    id: String(n),
    name: `name ${n}`,
  }));
  const used: number[] = [];
  let written = 0;
  const request = async (
    _subject: string,
    { operation, query, batchId }: Envelope,
    body: Uint8Array = new Uint8Array(),
  ) => {
    const answer = (json: object) => ({
      status: 200,
      headers: {},
      body: Buffer.from(JSON.stringify(json)),
    });
    if (operation === 'sink_post_events') {
      expect(batchId).toMatch(new RegExp(`-${written}$`));
      expect(body.length).toBeGreaterThan(pageRecords);
      written += 1;
      if (written === pages / 10 || written === pages) used.push(usedBytes());
      return answer({ result: [] });
    }
    const page = Number((query as { cursor?: string }).cursor ?? 0);
    return answer({ result: rows, ...(page + 1 < pages && { cursor: String(page + 1) }) });
  };
  const integrate = async (accountId: string, config: object) =>
    (
      await service.call<{
        integration: { id: string };
        token: { access: { secret: string } };
      }>('POST', `/v1/integrations/${accountId}`, { provider_config: config })
    ).result;
  const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  const account = made.result.account.id;
  const desk = await integrate(account, { type: 'ticketing_mock_ticketing' });
  const sink = await integrate(account, { type: 'sink_http', url: 'http://127.0.0.1:9/' });
  const { secret } = desk.token.access;
  const input = { sink_integration_id: sink.integration.id };
  const job = await service.call<{ operation: { id: string } }>(
    'POST',
    '/v1/operations',
    { operation: 'ticketing_query_tickets', input },
    secret,
  );
  worker = new SimulatedWorker(
    { ...service, bus: { request } as unknown as MessageBus },
    pageRecords,
  );
  await worker.drain();
  const path = `/v1/operations/${job.result.operation.id}`;
  const { result } = await service.call('GET', path, undefined, secret);
  expect(result).toMatchObject({ status: 'COMPLETE' });
  const { result: runs } = await service.call('GET', '/v1/jobs/history');
  expect(runs).toMatchObject([{ records_processed: pages * pageRecords }]);
  const [early = 0, late = 0] = used;
  expect(late - early).toBeLessThan(maxGrowth);
}, 300_000);
