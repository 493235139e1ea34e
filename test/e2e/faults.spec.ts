import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { Agent, type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { operationOf } from '#contract';
import { type Onefold, startDistributed } from './onefold.js';
import { createMockIntegration } from './records.js';

/** Short by default; `OUTAGE_SECONDS=30 npm test -- faults` has a long outage. */
const outageSeconds = Number(process.env['OUTAGE_SECONDS'] ?? 3);

let onefold: Onefold;
let url: string;
let headers: Record<string, string>;
beforeAll(async () => {
  onefold = await startDistributed({}, { worker: false });
  const mock = await createMockIntegration(onefold.api, 'faults');
  headers = { authorization: `Bearer ${mock.token}` };
  url = `${onefold.api.url}/v1/ticketing/tickets?limit=1`;
  expect(await statusOf()).toBe(200);
});
afterAll(() => onefold.stop());

describe('a bus that goes away under load', () => {
  it(`is gone for ${outageSeconds} s, and every caller is answered again once it is back`, async () => {
    let ended = false;
    const statuses = new Map<number, number>();
    const caller = async () => {
      while (!ended) {
        const status = await statusOf();
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status !== 200) await sleep(20);
      }
    };
    const callers = Promise.all(Array.from({ length: 20 }, caller));
    await sleep(300);
    await onefold.nats?.stop();
    await sleep(outageSeconds * 1_000);
    await onefold.nats?.start();
    while ((await statusOf()) !== 200); // The time of this test ends the wait.
    await sleep(1_500);
    ended = true;
    await callers;
    // A call that was running gets an error; none hangs, and none is a 500.
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses.get(200)).toBeGreaterThan(20);
    expect(await Promise.all(Array.from({ length: 100 }, () => statusOf()))).toEqual(
      Array<number>(100).fill(200),
    );
  });
});

describe('SIGTERM', () => {
  it('waits for a call whose body still arrives, then closes its connection and ends with 0', async () => {
    const gateway = onefold.processes['gateway'];
    if (gateway === undefined) throw new Error('there is no gateway');
    const [, observe = ''] = await gateway.says(/"observe":"([^"]+)"/);
    const body = JSON.stringify({ name: 'Halves', summary: 'Sent in two halves' });
    const agent = new Agent({ keepAlive: true });
    const sent = request(`${onefold.api.url}/v1/ticketing/tickets`, {
      agent,
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    const status = statusTo(sent);
    sent.write(body.slice(0, 10));
    await sleep(200);
    const stopped = gateway.stop();
    await eventually(async () => expect((await fetch(`${observe}/health/ready`)).status).toBe(503));
    await sleep(1_000);
    sent.end(body.slice(10));
    expect(await status).toBe(operationOf('ticketing_create_ticket').response.status);
    expect(await stopped).toEqual({ code: 0, signal: null }); // A stop that waits for idle connections exits with 1.
    agent.destroy();
  });
});

function statusOf(): Promise<number> {
  const sent = request(url, { headers });
  sent.end();
  return statusTo(sent);
}

function statusTo(sent: ClientRequest): Promise<number> {
  return new Promise((settle, fail) => {
    sent.once('error', fail);
    sent.once('response', (response) => {
      response.resume();
      response.once('end', () => settle(response.statusCode ?? 0));
      response.once('error', fail);
    });
  });
}
