// npm run bench: a bare chain of node:http and NATS beside Onefold, distributed and embedded, in one run. Read the ratios:
// absolute rates are the machine's. Then the management API, provider documents and the start: tools/bench-management.mjs,
// tools/bench-providers.mjs, tools/bench-start.mjs. What they measured last stands in docs/performance.md.
//   npm run bench -- --seconds 10 --connections 32
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '32' },
    accounts: { type: 'string' }, // of bench-management.mjs
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const { default: autocannon } = await import('autocannon');
const dist = join(root, 'dist');
const { startNats } = await import(`${dist}/test/harness/nats.js`);
const { startApp } = await import(`${dist}/test/e2e/processes.js`);
const { Client } = await import(`${dist}/test/e2e/client.js`);
const { createMockIntegration } = await import(`${dist}/test/e2e/records.js`);
const { startEmbeddedPostgres } = await import(`${dist}/libs/embedded/src/index.js`);
const { admin } = await import(`${dist}/test/e2e/onefold.js`);

const folder = mkdtempSync(join(tmpdir(), 'onefold-bench-'));
chmodSync(folder, 0o711);
const stops = [];
const rows = [];
try {
  const nats = await startNats();
  stops.push(() => nats.stop());
  const distributed = await startDistributed(nats.url);
  const embedded = await startEmbedded();
  const bare = await startBare(nats.url, await ticketOf(distributed));
  const chains = [
    ['bare node:http → NATS → node:http', bare],
    ['Onefold distributed', distributed],
    ['Onefold embedded', embedded],
    ['distributed, by a provider document', await documentTarget(distributed, bare.provider)],
  ];
  for (const [, target] of chains) await load(target, connections, 3); // warm
  for (const [name, target] of chains)
    rows.push({
      name,
      busy: await load(target, connections, seconds),
      single: await load(target, 1, seconds / 2),
      target,
    });
  print();
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
}

await import('./bench-management.mjs');
await import('./bench-providers.mjs');
await import('./bench-start.mjs');

/** The same answer through nothing but sockets: a front, NATS, a worker that asks an HTTP server. */
async function startBare(natsUrl, body) {
  const child = spawn(process.execPath, [join(root, 'tools/bench-bare-chain.mjs'), natsUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(body);
  stops.push(() => child.kill());
  const addresses = await new Promise((settle) =>
    child.stdout.once('data', (text) => settle(text.toString().trim())),
  );
  const [url, provider] = addresses.split(' ');
  return { url, provider, headers: {} };
}

async function startDistributed(natsUrl) {
  const database = await startEmbeddedPostgres({ folder: join(folder, 'database') });
  stops.push(() => database.stop());
  const env = {
    DATABASE_URL: database.url,
    NATS_URL: natsUrl,
    KEY_FILE: join(folder, 'key'),
    PORT: '0',
    OBSERVE_PORT: '0',
    HOST: '127.0.0.1',
    EGRESS_ALLOW: '127.0.0.1', // the bare chain's HTTP server
  };
  await admin(env, 'key');
  await admin(env, 'migrate');
  const token = /^Organization token: (\S+)$/m.exec(await admin(env, 'token'))[1];
  const processes = ['management', 'connector', 'gateway'].map((name) => startApp(name, [], env));
  const [management, connector, gateway] = processes;
  for (const one of processes) stops.push(() => one.stop());
  await Promise.all(processes.map((one) => one.says(/"message":"ready"/)));
  const [, url] = await gateway.says(/"address":"([^"]+)"/);
  return await ticketTarget(url, token, { management, connector, gateway });
}

async function startEmbedded() {
  const begin = performance.now();
  const standalone = startApp('standalone', ['--port', '0', '--data', join(folder, 'embedded')]);
  stops.push(() => standalone.stop());
  const [, url] = await standalone.says(/^Address: (\S+)$/m);
  const [, token] = await standalone.says(/^Organization token: (\S+)$/m);
  const [, integration] = await standalone.says(/^Integration token: (\S+)$/m);
  await fetch(`${url}/v1/ticketing/tickets?limit=1`, {
    headers: { authorization: `Bearer ${integration}` },
  });
  const firstAnswer = performance.now() - begin;
  return { ...(await ticketTarget(url, token, { standalone })), firstAnswer };
}

/** A ticket of a mock integration: token check, permission, mapping and one read of the database. */
async function ticketTarget(url, token, processes) {
  await new Promise((idle) => setTimeout(idle, 3_000));
  const memory = Object.values(processes).map(({ child }) => residentMegabytes(child.pid));
  const api = new Client(url, token);
  const mock = await createMockIntegration(api, 'bench');
  const tickets = new Client(url, mock.token);
  const page = await tickets.call('ticketing_query_tickets', { query: { limit: 1 } });
  return {
    url: `${url}/v1/ticketing/tickets/${page.result[0].id}`,
    headers: { authorization: `Bearer ${mock.token}` },
    api,
    memory,
    processes,
  };
}

/** The same ticket from the bare chain's HTTP server, by a customer's provider document. */
async function documentTarget({ api }, address) {
  const data = readFileSync(join(root, 'tools/bench-provider.yaml'), 'utf8');
  await api.call('customs_create', { body: { name: 'bench', data } });
  const { account } = (await api.call('accounts_create', { body: { name: 'document' } })).result;
  const { token } = (
    await api.call('integrations_create', {
      path: { accountId: account.id },
      body: {
        provider_config: {
          type: 'custom_bench',
          url: address,
          credential: { type: 'token', secret: 'hush' },
        },
      },
    })
  ).result;
  return {
    url: `${api.url}/v1/ticketing/tickets/1`,
    headers: { authorization: `Bearer ${token.access.secret}` },
  };
}

async function ticketOf({ url, headers }) {
  return await (await fetch(url, { headers })).text();
}

async function load({ url, headers, processes = {} }, count, duration) {
  const before = processorTimes(processes);
  const result = await autocannon({ url, headers, connections: count, duration });
  const after = processorTimes(processes);
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `${result.non2xx} answers of ${url} were no success, ${result.errors} calls failed`,
    );
  const { p50, p99 } = result.latency;
  return {
    rate: result.requests.average,
    p50,
    p99, // Of a full second, as each connection always has a call under way; autocannon itself counts whole milliseconds.
    mean: (1_000 * count) / result.requests.average,
    processor: Object.keys(processes)
      .map((name) => `${name} ${Math.round((after[name] - before[name]) / result.requests.total)}`)
      .join(', '),
  };
}

/** Of each process, in microseconds; the kernel counts hundredths of a second. */
function processorTimes(processes) {
  return Object.fromEntries(
    Object.entries(processes).map(([name, { child }]) => [name, processorTime(child.pid)]),
  );
}

function processorTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return NaN; // not Linux
  }
}

function residentMegabytes(pid) {
  try {
    return Math.round(
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024,
    );
  } catch {
    return undefined; // not Linux
  }
}

function print() {
  const [bare] = rows;
  console.log(
    `\n${cpus().length} cores, node ${process.version}, ${seconds} s each; GET of one ticket\n`,
  );
  console.log(
    `| chain | requests/s at ${connections} | of bare | p50 ms | p99 ms | mean ms at 1 | added ms |`,
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const { name, busy, single } of rows)
    console.log(
      `| ${name} | ${Math.round(busy.rate)} | ${Math.round((100 * busy.rate) / bare.busy.rate)} % | ${busy.p50} | ${busy.p99} | ${single.mean.toFixed(2)} | ${(single.mean - bare.single.mean).toFixed(2)} |`,
    );
  const [, distributed, embedded] = rows;
  console.log(
    `\nProcessor time for each call at ${connections}, µs: ${distributed.busy.processor}; ${embedded.busy.processor}`,
  );
  console.log(
    `\nStart of the embedded form to its first answer, database made on the way: ${Math.round(embedded.target.firstAnswer)} ms`,
  );
  console.log(`Idle memory embedded (without PostgreSQL): ${embedded.target.memory[0]} MB`);
  console.log(
    `Idle memory distributed: management ${distributed.target.memory[0]} MB, connector ${distributed.target.memory[1]} MB, gateway ${distributed.target.memory[2]} MB`,
  );
}
