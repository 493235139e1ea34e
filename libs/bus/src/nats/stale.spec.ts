import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { operationOf, type OperationId } from '#contract';
import { keyOf, Keyring } from '#secrets';
import { freePort, maxWaitMs, type NatsServer, startNats, until } from '#test/harness';
import { envelopeOf } from '../messages/envelope.fixture.js';
import { type BusReply, Cancellation, MessageBus, NatsTransport, subjectOf } from '../index.js';

// A process that gets no processor time for a while answers no ping of nats-server, which closes its connection. Here SIGSTOP takes
// the time away. What the server had for the process is lost, and what the process writes until it notices.

const key = randomBytes(32);
const keys = new Keyring([keyOf(key)]).derive('bus messages');
/** More than the buffers of a connection on one machine hold: Linux gives them up to 10 MB. */
const bodiesThatOverflow = Array.from({ length: 60 }, () => Buffer.alloc(500_000, 97));

let nats: NatsServer;
let monitor: string;
let transport: NatsTransport;
let bus: MessageBus;
let child: ChildProcess;
let said = '';
beforeAll(async () => {
  const port = await freePort();
  nats = await startNats(`http: "127.0.0.1:${port}"\nping_interval: "1s"\nping_max: 2\n`);
  monitor = `http://127.0.0.1:${port}/connz`;
  transport = await NatsTransport.connect(nats.url, { keys });
  bus = new MessageBus(transport);
  const file = fileURLToPath(new URL('./peers/gone.fixture.js', import.meta.url));
  child = spawn(process.execPath, [file, nats.url, key.toString('base64'), 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout?.on('data', (text: Buffer) => (said += text.toString()));
  await until(() => said.includes('ready'));
});
afterEach(() => void child.kill('SIGCONT'));
afterAll(async () => {
  child.kill('SIGKILL');
  await once(child, 'exit');
  await transport.close();
  await nats.stop();
});

let reads = 0;
/** Counts what the process was asked so far. Its output comes behind its answers, so this reads on to the line of one more read. */
async function countAsked(): Promise<number> {
  reads += 1;
  await request('ticketing_list_projects', undefined, `count-${reads}`);
  await until(() => said.includes(`read count-${reads}\n`));
  const [before = ''] = said.split(`read count-${reads}\n`);
  return before.split('asked').length - 1 - reads;
}

const request = (operation: OperationId, body?: Buffer, requestId = 'stale'): Promise<BusReply> =>
  bus.request(
    subjectOf(operationOf(operation), undefined),
    envelopeOf(operation, { requestId, deadline: Date.now() + 2 * maxWaitMs }),
    body,
    new Cancellation(),
  );

/** Waits until the server has this many clients. */
async function waitForClients(count: number): Promise<void> {
  await until(async () => {
    const found = (await (await fetch(monitor)).json()) as { num_connections: number };
    return found.num_connections === count;
  });
}

/**
 * Makes calls while the process stands still and until it has lost its connection.
 * @param longerMs how much longer it stands still @returns their statuses
 */
async function callWhileStopped(calls: () => Promise<BusReply>[], longerMs = 0): Promise<number[]> {
  await waitForClients(2);
  child.kill('SIGSTOP');
  const made = Promise.all(calls());
  made.catch(() => undefined);
  await waitForClients(1);
  await sleep(longerMs);
  child.kill('SIGCONT');
  return (await made).map(({ status }) => status);
}

it('answers a write that it got before it lost its connection', async () => {
  const before = await countAsked();
  const body = Buffer.from('{"name":"x"}');
  const statuses = await callWhileStopped(() => [request('ticketing_create_ticket', body)]);
  expect(statuses).toEqual([200]);
  expect((await countAsked()) - before).toBe(1);
});

it('carries out each write once that was lost with the connection', async () => {
  const before = await countAsked();
  const statuses = await callWhileStopped(() =>
    bodiesThatOverflow.map((body) => request('ticketing_create_ticket', body)),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await countAsked()) - before).toBe(bodiesThatOverflow.length);
});

it('answers reads as well', async () => {
  const statuses = await callWhileStopped(() => [request('ticketing_list_projects')]);
  expect(statuses).toEqual([200]);
});

it('answers a call while a process that was silent takes its time to connect again', async () => {
  const body = Buffer.from('{"name":"x"}');
  // Longer than a killed process is waited for: a machine with much other work takes that long.
  const statuses = await callWhileStopped(() => [request('ticketing_create_ticket', body)], 2_500);
  expect(statuses).toEqual([200]);
});
