import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { maxWaitMs, until } from '#test/harness';
import { type Onefold, startDistributed } from './onefold.js';
import { type Running, startApp } from './processes.js';

// Two connectors of one domain, one of which is stopped or vanishes under load. SIGSTOP is a machine whose network has disappeared: its
// connection stays open, and nobody answers on it.

const callers = 4;

let onefold: Onefold;
let url: string;
let headers: Record<string, string>;
const connectors: Running[] = [];
beforeAll(async () => {
  onefold = await startDistributed({}, { worker: false });
  const { api, processes } = onefold;
  const { account } = (await api.call('accounts_create', { body: { name: 'vanished' } })).result;
  const made = await api.call('integrations_create', {
    path: { accountId: account.id },
    body: {
      provider_config: { type: 'ticketing_mock_ticketing', name: 'vanished' } as never,
    },
  });
  url = `${api.url}/v1/ticketing/tickets`;
  headers = {
    authorization: `Bearer ${made.result.token.access.secret}`,
    'content-type': 'application/json',
  };
  if (processes['connector'] !== undefined) connectors.push(processes['connector']);
});
afterAll(async () => {
  for (const { child } of connectors) child.kill('SIGCONT');
  await onefold.stop();
});

/** Starts another connector, which is stopped with the rest. */
async function startConnector(): Promise<void> {
  const started = startApp('connector', [], onefold.env);
  onefold.processes[`connector ${Object.keys(onefold.processes).length}`] = started;
  connectors.push(started);
  await started.says(/"message":"ready"/);
}

/** Returns the pattern of a line that names a connector as that one names itself. */
function lineAbout(connector: Running | undefined, what: string): RegExp {
  const [, name] = /"process":"([^"]+)"/.exec(connector?.output() ?? '') ?? [];
  if (name === undefined) throw new Error('the connector has not named itself');
  return new RegExp(`^.*${what}.*"peer":"${name}".*$`, 'm');
}

/** Calls without a pause until the work is done and each caller has had further answers. @returns how each call ended */
async function underLoad(methods: readonly ('GET' | 'POST')[], work: () => Promise<void>) {
  const ends: Record<string, number> = {};
  let isRunning = true;
  const body = JSON.stringify({ name: 'Printer', summary: 'Printer', description: 'It smokes' });
  const call = async (method: 'GET' | 'POST') => {
    const response = await fetch(url, { method, headers, ...(method === 'POST' ? { body } : {}) });
    const text = await response.text();
    const end = response.ok ? 'answered' : `${method}: ${response.status} ${text}`;
    ends[end] = (ends[end] ?? 0) + 1;
  };
  const all = Promise.all(
    Array.from({ length: callers }, async (_, number) => {
      for (let at = number; isRunning; at += 1) await call(methods[at % methods.length] ?? 'GET');
    }),
  );
  const answered = () => ends['answered'] ?? 0;
  await until(() => answered() > 20);
  await work();
  const before = answered();
  await until(() => answered() > before + 20);
  isRunning = false;
  await all;
  return Object.keys(ends);
}

it('fails no call when a connector is replaced under load', async () => {
  const ends = await underLoad(['GET', 'POST'], async () => {
    await startConnector();
    const { code } = (await connectors.shift()?.stop()) ?? {};
    expect(code).toBe(0);
  });
  expect(ends).toEqual(['answered']);
});

it(
  'leaves the reads of a connector that vanishes to another one',
  async () => {
    await startConnector();
    const [vanishing] = connectors;
    const ends = await underLoad(['GET'], async () => {
      vanishing?.child.kill('SIGSTOP');
      await Promise.resolve();
    });
    expect(ends).toEqual(['answered']);
    await onefold.processes['gateway']?.says(
      lineAbout(vanishing, 'is connected and does not answer'),
    );
  },
  3 * maxWaitMs,
);

it('calls it again when it is back', async () => {
  const ends = await underLoad(['GET', 'POST'], async () => {
    connectors[0]?.child.kill('SIGCONT');
    await Promise.resolve();
  });
  expect(ends).toEqual(['answered']);
  await onefold.processes['gateway']?.says(lineAbout(connectors[0], 'answers again'));
});
