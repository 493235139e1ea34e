// npm run bench -- bridge: the time that a bridge adds to a call beside the same call without it, in turns in one run, and calls per second through one
// agent. First the agent alone, whose link is in this process; then the whole way, embedded and distributed. Client, provider and all processes are
// on this machine. What it printed last stands in docs/performance.md.
//   npm run bench -- bridge --rounds 10 --calls 200 --connections 32
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { WebSocketServer } from 'ws';
import {
  documentTarget,
  integrationTarget,
  openTargets,
  processorTimes,
} from './bench-targets.mjs';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';
import { listenLocally } from './listen-locally.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    calls: { type: 'string', default: '100' },
    connections: { type: 'string', default: '32' },
  },
});
const [rounds, callsPerRound, connections] = Object.values(values).map(Number);
const maxAddedMs = 1;
const { AgentLink } = await import('#bridge');
const { startApp } = await import(`${root}/dist/test/e2e/processes.js`);

const ticket = JSON.stringify({
  result: {
    id: '1',
    name: 'Printer',
    summary: 'Printer on fire',
    status: 'Open',
    priority: 'High',
    description: 'x'.repeat(1_000),
    created_at: '2026-01-02T08:00:00Z',
    creator: 'ada',
  },
});
const desk = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(ticket);
});
const provider = await listenLocally(desk);
const folder = mkdtempSync(join(tmpdir(), 'onefold-bench-bridge-'));
const dispatcher = new Agent({ connections: 64 });
const targets = await openTargets();
const agents = [];
const added = [];

try {
  await benchAgent();
  const env = { EGRESS_ALLOW: '127.0.0.1' };
  await benchForm('embedded', await targets.startEmbedded(env));
  const nats = await targets.startNats();
  await benchForm('distributed', await targets.startDistributed(nats.url));
  console.log(`load ${loadavg()[0].toFixed(1)}`);
} finally {
  for (const agent of agents) await agent.stop();
  await targets.stop();
  desk.closeAllConnections();
  desk.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(added.every((ms) => ms <= maxAddedMs) ? 0 : 1);

/** The agent alone: requests over its link, beside the same requests that this process sends to the provider. */
async function benchAgent() {
  const server = createServer();
  const connected = new Promise((resolve) =>
    new WebSocketServer({ server, perMessageDeflate: false }).once('connection', (socket) => {
      const link = new AgentLink(socket);
      link.onMessage(
        ({ type }) => type === 'hello' && (link.tell({ type: 'admitted' }), resolve(link)),
      );
      link.tell({ type: 'challenge', nonce: 'nonce' });
    }),
  );
  const agent = await startAgent(await listenLocally(server), 'a.b.c');
  const link = await connected;
  const head = {
    method: 'GET',
    url: `${provider}/`,
    headers: {},
    hasBody: false,
    timeoutMs: 9_000,
  };
  const direct = async () => {
    const { body } = await request(head.url, { dispatcher });
    await body.text();
  };
  const bridged = async () => {
    const { status, body } = await link.send(head, undefined, new AbortController().signal);
    if (status !== 200) throw new Error(`the agent returned ${status}`);
    const chunks = [];
    for await (const chunk of body) chunks.push(chunk);
  };
  await compare('agent alone', { direct, bridged }, agent);
  await agent.stop();
  server.close();
}

/** The whole way: a ticket of an integration with and without a bridge. */
async function benchForm(name, target) {
  const { api } = target;
  const toDirect = await documentTarget(target, { provider });
  const { account } = (await api.call('accounts_create', { body: { name: 'bridged' } })).result;
  const path = { accountId: account.id };
  const { bridge, credential } = (await api.call('bridges_create', { path, body: {} })).result;
  const agent = await startAgent(api.url, credential);
  const toBridge = await integrationTarget(target, {
    provider,
    accountId: account.id,
    bridge_selector: { type: 'id', value: bridge.id },
  });
  const call =
    ({ url, headers }) =>
    async () => {
      const { statusCode, body } = await request(url, { headers, dispatcher });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${text}`);
    };
  await compare(name, { direct: call(toDirect), bridged: call(toBridge) }, agent);
}

/** Measures both one call at a time, and many at once, in turns: a machine that slows down slows both. */
async function compare(name, { direct, bridged }, agent) {
  for (const one of [direct, bridged]) await many(one, 5 * callsPerRound);
  /** @type {Record<'direct' | 'bridged', number[]>} */
  const single = { direct: [], bridged: [] };
  /** @type {typeof single} */
  const rates = { direct: [], bridged: [] };
  let processor = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (let made = 0; made < callsPerRound; made += 1) {
      single.direct.push(await timeOf(direct));
      single.bridged.push(await timeOf(bridged));
    }
    rates.direct.push(await many(direct, 5 * callsPerRound));
    const before = processorTimes({ agent }).agent;
    rates.bridged.push(await many(bridged, 5 * callsPerRound));
    processor += processorTimes({ agent }).agent - before;
  }
  const [a, b, directRate, bridgedRate] = [
    ...[single.direct, single.bridged, rates.direct, rates.bridged].map(median),
  ];
  added.push(b - a);
  const spent = Math.round(processor / (rounds * 5 * callsPerRound));
  console.log(`${name}, medians of ${rounds} rounds`);
  console.log(
    `  one call          ${a.toFixed(2)} ms, through a bridge ${b.toFixed(2)} ms: ${(b - a).toFixed(2)} ms more (aim ≤ ${maxAddedMs}), ratio ${(b / a).toFixed(2)}`,
  );
  console.log(
    `  ${connections} at once        ${Math.round(directRate)} calls per second, through one agent ${Math.round(bridgedRate)}, ratio ${(bridgedRate / directRate).toFixed(2)}; processor time of the agent ${spent} µs a call`,
  );
}

async function startAgent(server, credential) {
  const file = join(folder, `agent-${agents.length}.json`);
  const key_file = `${file}.key`;
  writeFileSync(file, JSON.stringify({ server, key_file, allow: [{ origin: provider }] }));
  const agent = startApp('bridge-agent', [file], { BRIDGE_CREDENTIAL: credential });
  agents.push(agent);
  await agent.says(/"message":"connected"/);
  return agent;
}

async function timeOf(call) {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
}

/** Calls per second. */
async function many(call, count) {
  let left = count;
  const begun = performance.now();
  const worker = async () => {
    while ((left -= 1) >= 0) await call();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return (1_000 * count) / (performance.now() - begun);
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
