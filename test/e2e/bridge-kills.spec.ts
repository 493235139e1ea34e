import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Problem } from '#contract';
import { freePort } from '#test/harness';
import { allowed, createGroup, startAgent, until } from './bridge-agents.js';
import { keystream } from './files/keystream.js';
import { digestOf, download, upload } from './files/transfer.js';
import { HeldProvider } from './held-provider.js';
import { type Onefold, startDistributed } from './onefold.js';
import { PortForwarder } from './port-forwarder.js';
import { type Running, startApp } from './processes.js';

const file = Buffer.concat([...keystream(2 * 2 ** 20)]);
const sha256 = digestOf([file]);

const document = `
provider: custom_held
version: 1.0.0
fullname: Held
vendor: Tests
configuration:
  properties: { url: { type: string, pattern: '^http' } }
  required: [url]
credentials:
  credential:
    token: { send: header, name: x-key, value: this.credential.secret }
http:
  base_url: this.config.url
operations:
  custom_get:
    resource: things
    steps: [{ path: '/things/{this.path.id}' }]
    record: this.steps.call
  custom_post:
    resource: things
    steps: [{ method: POST, path: /things, body: root = this.body }]
    record: this.steps.call
  storage_download_file:
    needs: Read files
    steps: [{ path: '/{+this.path.path}', answer: stream }]
  storage_upload_file:
    needs: Write files
    steps:
      - { name: stored, method: PUT, path: '/{+this.path.path}', encoding: stream }
`;

/** A response to the caller. */
interface Answer {
  status: number | undefined;
  text: string;
}

/** Calls through the bridge, two of each kind, which the provider keeps back. */
interface Flight {
  reads: Promise<Answer>[];
  writes: Promise<Answer>[];
  downloads: Promise<{ status: number; sha256?: string }>[];
  uploads: Promise<Answer>[];
  /** Counts the writes, downloads and uploads that have ended. */
  ended: () => number;
}

let onefold: Onefold;
let provider: HeldProvider;
let forwarder: PortForwarder;
/** Those of both gateways. */
let ports: number[];
/** The address of the second gateway. The agents are at the first one as long as it is there. */
let url: string;
let headers: Record<string, string>;
let credential: string;
let agents: Running[];

beforeAll(async () => {
  provider = await HeldProvider.start(file);
  onefold = await startDistributed({}, { worker: false });
  const second = await freePort();
  await startOne('second gateway', 'gateway', { PORT: String(second) });
  url = `http://127.0.0.1:${second}`;
  ports = [Number(onefold.env?.['PORT']), second];
  forwarder = await PortForwarder.start(ports);
  const { api } = onefold;
  await api.call('customs_create', { body: { data: document } });
  const { account } = (await api.call('accounts_create', { body: {} })).result;
  const group = await createGroup(api, account.id);
  credential = group.credential;
  const { result } = await api.call('integrations_create', {
    path: { accountId: account.id },
    body: {
      provider_config: {
        type: 'custom_held',
        url: provider.url,
        credential: { type: 'token', secret: 'agent-token' },
      } as never,
      bridge_selector: { type: 'id', value: group.id },
    },
  });
  headers = { authorization: `Bearer ${result.token.access.secret}` };
  agents = [await agent(), await agent()];
});
afterAll(async () => {
  await Promise.all(agents.map((one) => one.stop('SIGKILL')));
  forwarder.stop();
  await onefold.stop();
  provider.stop();
});

async function agent(): Promise<Running> {
  const started = startAgent(forwarder.url, credential, { allow: allowed(provider.url) });
  await started.says(/"message":"connected"/);
  return started;
}

/** Starts a further process of the service, which is stopped with the others. */
async function startOne(
  name: string,
  app: 'gateway' | 'connector',
  more: Record<string, string> = {},
): Promise<Running> {
  const started = startApp(app, [], { ...onefold.env, ...more });
  onefold.processes[name] = started;
  await started.says(/"message":"ready"/);
  return started;
}

async function killOne(name: string): Promise<void> {
  const { signal } = (await onefold.processes[name]?.stop('SIGKILL')) ?? {};
  expect(signal).toBe('SIGKILL');
}

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${url}/v1/custom/operations/${path}`, {
    ...init,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  return { status: response.status, text: await response.text() };
}
const read = () => call('get/custom_get/1');
const write = () => call('post/custom_post', { method: 'POST', body: '{"name":"one"}' });
const filePath = () => `${url}/v1/storage/files/file`;

/** Yields the file; its second half when the provider is released. */
async function* halves(): AsyncGenerator<Buffer> {
  const { released } = provider;
  yield file.subarray(0, file.length / 2);
  await released;
  yield file.subarray(file.length / 2);
}

/** Starts two calls of each kind, one after the other, so that agents that share work have one of each. */
async function launch(): Promise<Flight> {
  let ended = 0;
  const counted = <T>(promise: Promise<T>): Promise<T> => promise.finally(() => (ended += 1));
  const flight: Flight = {
    reads: [],
    writes: [],
    downloads: [],
    uploads: [],
    ended: () => ended,
  };
  for (const count of [1, 2]) {
    flight.reads.push(read());
    await until(() => provider.named('GET /things/1').length === count);
  }
  for (const count of [1, 2]) {
    flight.writes.push(counted(write()));
    await until(() => provider.named('POST /things').length === count);
  }
  for (const _count of [1, 2])
    await new Promise<void>((resolve) => {
      flight.downloads.push(counted(download(filePath(), headers, () => resolve())));
    });
  for (const count of [1, 2]) {
    flight.uploads.push(counted(upload(filePath(), headers, halves())));
    await until(
      () => provider.named('PUT /file').filter(({ bytes }) => bytes > 0).length === count,
    );
  }
  return flight;
}

/** Kills a process that so many calls of each kind need, and expects what their callers and the provider see of it. */
async function expectOutcomes(kill: () => Promise<void>, lost: 1 | 2): Promise<void> {
  provider.hold();
  const flight = await launch();
  await kill();
  // Reads are sent again, and the others end, while the provider still keeps all answers back.
  await until(() => provider.named('GET /things/1').length === 2 + lost);
  await until(() => flight.ended() === 3 * lost);
  provider.release();
  for (const { status, text } of await Promise.all(flight.reads))
    expect([status, text]).toEqual([200, expect.stringContaining('"id":"1"')]);
  const kept = 2 - lost;
  expectUnknown(await Promise.all(flight.writes), { lost, done: 200 });
  expectUnknown(await Promise.all(flight.uploads), { lost, done: 204 });
  const downloads = await Promise.all(flight.downloads);
  expect(downloads.filter((one) => one.sha256 === sha256)).toHaveLength(kept);
  expect(downloads.filter((one) => one.sha256 === undefined)).toHaveLength(lost);
  for (const name of ['POST /things', 'GET /file', 'PUT /file'])
    expect([name, provider.named(name).length]).toEqual([name, 2]);
  const uploaded = provider.named('PUT /file').filter((one) => one.sha256 !== undefined);
  expect(uploaded.map((one) => one.sha256)).toEqual(Array(kept).fill(sha256));
}

/** Expects that so many writes ended with a Problem that says that their outcome is unknown, and the others succeeded. */
function expectUnknown(answers: Answer[], { lost, done }: { lost: number; done: number }): void {
  const failed = answers.filter(({ status }) => status !== done);
  expect(failed).toHaveLength(lost);
  for (const { status, text } of failed) {
    const { detail = text, remediation } = JSON.parse(text) as Problem;
    expect([status, detail]).toEqual([503, expect.stringContaining('outcome is unknown')]);
    expect(remediation).toEqual(expect.any(String));
  }
}

/** Expects that calls of all kinds succeed. */
async function expectAllGood(): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? read() : write())),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  provider.calls = [];
  expect(await download(filePath(), headers)).toEqual({ status: 200, sha256 });
  expect(await upload(filePath(), headers, [file])).toEqual({ status: 204, text: '' });
  expect(provider.named('PUT /file')).toMatchObject([{ sha256 }]);
}

/** Calls without a pause while something happens. @returns all responses */
async function callWhile(happens: () => Promise<void>): Promise<Answer[]> {
  let isOver = false;
  const answers: Answer[] = [];
  const callers = [read, write, read, write].map(async (one) => {
    while (!isOver) answers.push(await one());
  });
  try {
    await happens();
  } finally {
    isOver = true;
  }
  await Promise.all(callers);
  return answers;
}

/** Keeps the answers to some calls back, and only to them, until others have seen what happens. @returns their responses */
async function expectNoneFails(happens: () => Promise<unknown>): Promise<void> {
  provider.hold();
  const held = [...Array.from({ length: 10 }, read), ...Array.from({ length: 4 }, write)];
  await until(() => provider.calls.length === held.length);
  provider.released = Promise.resolve();
  const after = await callWhile(async () => {
    await happens();
    provider.release();
    await Promise.all(held);
  });
  const answers = [...after, ...(await Promise.all(held))];
  expect(answers.length).toBeGreaterThan(held.length);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(provider.calls).toHaveLength(answers.length); // None was sent twice.
}

describe('a bridge', () => {
  it('serves calls of all kinds', expectAllGood);

  it('loses no call when its gateway stops: its agents are handed over to another one', async () => {
    let stopped: ReturnType<Running['stop']> | undefined;
    await expectNoneFails(async () => {
      forwarder.use(ports.slice(1)); // It is not ready any more.
      stopped = onefold.processes['gateway']?.stop('SIGTERM');
      const again = /"message":"connected"[^]*"message":"connected"/;
      for (const one of agents) await one.says(again);
    });
    expect(await stopped).toMatchObject({ code: 0 });
    await startOne('gateway', 'gateway');
    forwarder.use(ports);
  }, 180_000);

  it('loses no call when agents stop and others take their place, as in an upgrade', async () => {
    const old = agents;
    agents = [await agent(), await agent()];
    await expectNoneFails(async () => {
      const stopped = old.map((one) => one.stop('SIGTERM'));
      provider.release();
      for (const { code } of await Promise.all(stopped)) expect(code).toBe(0);
    });
    await expectAllGood();
  }, 180_000);

  it('goes on when one of two agents is killed: the other one repeats its reads', async () => {
    await expectOutcomes(async () => void (await agents[0]?.stop('SIGKILL')), 1);
    await expectAllGood();
    agents[0] = await agent();
    await expectAllGood();
  });

  it('goes on when the gateway of its agents is killed: they connect to another one', async () => {
    await expectOutcomes(() => killOne('gateway'), 2);
    const again = /"message":"connected"[^]*"message":"disconnected"[^]*"message":"connected"/;
    for (const one of agents) await one.says(again);
    await expectAllGood();
    await startOne('gateway', 'gateway');
    await expectAllGood();
  });

  it('goes on when a connector is killed: another one repeats its reads', async () => {
    await expectOutcomes(async () => {
      await startOne('second connector', 'connector');
      await killOne('connector');
    }, 2);
    await expectAllGood();
  });
});
