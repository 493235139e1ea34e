// Whether one customer slows down others: how long a job of a bystander takes to begin, and its calls take, alone and beside each kind of flood. Bystanders
// are another organization, and another account of the organization that floods. Ends with 1 if a job begins after more than 5 s, or calls take more than
// 1.5 times as long as alone (the median). Processes of their own over PostgreSQL and NATS; what the floods are stands in tools/floods.mjs.
//   npm run bench -- fairness
//   npm run bench -- fairness --only loop --calls 300 --jobs 5        of endless, hang, limited, short, calls, webhooks, loop and waiting
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { floods } from './floods.mjs';
import { installMissing, root } from './install.mjs';
import { listenLocally } from './listen-locally.mjs';

installMissing();
buildIfChanged('test');
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    calls: { type: 'string', default: '300' },
    jobs: { type: 'string', default: '5' },
  },
});
const maxJobDelayMs = 5_000;
const maxCallRatio = 1.5;
const maxWaitMs = 120_000;
const settleMs = 2_000;
const maxDeletions = 10;
const [calls, jobs] = [Number(values.calls), Number(values.jobs)];
const dist = (path) => import(join(root, 'dist', `${path}.js`));
const { startOnOwnServers } = await dist('test/proof/own-servers');
const { recordsDocument } = await dist('test/proof/record-server');
const { addOrganization } = await dist('test/e2e/add-organization');

/** Requests to each path so far. */
const counts = new Map();
const hanging = new Set();
/** The host of the bystanders, and that of the flooder. */
const hosts = [openHost(), openHost()];
const [goodUrl, floodUrl] = await Promise.all(hosts.map(listenLocally));

let met = true;
const servers = await startOnOwnServers({});
try {
  const { onefold, databaseUrl } = servers;
  const newOrganization = async (name) => {
    const { access } = await addOrganization(databaseUrl, onefold.keyFile, name);
    const api = onefold.api.as(access);
    await api.call('customs_create', { body: { name: 'proof', data: recordsDocument } });
    return api;
  };
  const flooder = await newOrganization('flooder');
  /** @type {[who: string, customer: any][]} */
  const bystanders = [
    [
      'another organization',
      await newCustomer(await newOrganization('bystander'), goodUrl, '/good/1'),
    ],
    ['another account', await newCustomer(flooder, goodUrl, '/good/2')],
  ];
  for (const [, customer] of bystanders) await measure(customer); // compiles everything
  for (const [name, flood] of Object.entries(floods)) {
    if (values.only.length > 0 && !values.only.includes(name)) continue;
    // Right before the flood: the service becomes faster while it runs, and the machine is not always equally busy.
    const alone = [];
    for (const [who, customer] of bystanders) {
      const measured = await measure(customer);
      alone.push(measured);
      report(`before ${name}`, who, measured, measured);
    }
    const end = await flood({
      api: flooder,
      url: floodUrl,
      databaseUrl,
      recordsDocument,
      newCustomer: (path) => newCustomer(flooder, floodUrl, path),
    });
    await sleep(settleMs);
    for (const [index, [who, customer]] of bystanders.entries())
      met = report(name, who, await measure(customer), alone[index]) && met;
    await end();
    for (const response of hanging) response.destroy();
    hanging.clear();
    await sleep(settleMs);
  }
} finally {
  await servers.stop();
  for (const host of hosts) {
    host.closeAllConnections();
    host.close();
  }
}
process.exit(met ? 0 : 1);

function openHost() {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    request.resume().on('end', () => answer(pathname, response));
  });
}

/** Never answers below `/hang`, limits below `/limited`, lists without an end below `/endless`, and is a good provider, sink and receiver elsewhere. */
function answer(path, response) {
  counts.set(path, (counts.get(path) ?? 0) + 1);
  if (path.startsWith('/hang')) {
    hanging.add(response);
    response.on('close', () => hanging.delete(response));
    return;
  }
  if (path.startsWith('/limited')) {
    response.writeHead(429, { 'retry-after': '3600' }).end('{}');
    return;
  }
  response.setHeader('content-type', 'application/json');
  const isEndless = path.startsWith('/endless');
  if (path.endsWith('/records')) response.end(page(isEndless ? 500 : 1, isEndless ? 1e9 : 1));
  else response.writeHead(204).end();
}

function page(length, total) {
  const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
  const items = Array.from({ length }, (_, n) => ({
    id: String(n),
    name: `record-${n}`,
    summary: 'A record',
    status: 'open',
    creator: 'us',
    ...times,
  }));
  return JSON.stringify({ items, total });
}

/** Creates an account whose provider lies below a path of the host. */
async function newCustomer(api, url, path) {
  const { account } = (await api.call('accounts_create', { body: {} })).result;
  const integrate = async (provider_config) => {
    const made = await api.call('integrations_create', {
      path: { accountId: account.id },
      body: { provider_config },
    });
    return { id: made.result.integration.id, token: made.result.token.access.secret };
  };
  const source = await integrate({ type: 'ticketing_proof', url: `${url}${path}` });
  const sink = await integrate({ type: 'sink_http', url: `${url}/in${path}` });
  const own = api.as(source.token);
  return {
    path,
    accountId: account.id,
    list: () => own.call('ticketing_query_tickets'),
    startJob: () =>
      own.call('operations_create', {
        body: { operation: 'ticketing_query_tickets', input: { sink_integration_id: sink.id } },
      }),
    end: () => deleteAccount(api, account.id),
  };
}

/** Deletes an account; it is tried again where a page of its jobs gets in the way. */
async function deleteAccount(api, accountId) {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await api.call('accounts_delete', { path: { accountId } });
    } catch (error) {
      if (attempt === maxDeletions) throw error;
      await sleep(settleMs);
    }
}

/** Measures calls of a customer, and how long its jobs take to begin: from the answer of their creation to the first request at the provider. */
async function measure({ path, list, startJob }) {
  const times = [];
  for (let n = 0; n < calls; n += 1) times.push(await timed(list));
  const delays = [];
  for (let n = 0; n < jobs; n += 1) {
    const read = () => counts.get(`${path}/records`) ?? 0;
    const written = () => counts.get(`/in${path}`) ?? 0;
    const [reads, writes] = [read(), written()];
    await startJob();
    delays.push(await timed(() => until(() => read() > reads)));
    await until(() => written() > writes); // its only page
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  delays.sort((a, b) => a - b);
  const delayAt = (share) => delays[Math.ceil(delays.length * share) - 1];
  return { median: at(0.5), p99: at(0.99), delayAt, delayMs: delayAt(1) };
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function until(holds) {
  for (const end = performance.now() + maxWaitMs; !holds(); await sleep(2))
    if (performance.now() > end) return; // the delay says so
}

/** Prints what was measured. @returns false if an aim is missed */
function report(flood, who, { median, p99, delayAt, delayMs }, alone) {
  const seconds = (ms) => (ms / 1_000).toFixed(2);
  const ratio = median / alone.median;
  const isMet = delayMs <= maxJobDelayMs && ratio <= maxCallRatio;
  console.log(
    `${flood}, ${who}: a job begins after ${seconds(delayAt(0.5))} s (p99 ${seconds(delayAt(0.99))} s, at most ${seconds(delayMs)} s), a call takes ${median.toFixed(1)} ms (p99 ${p99.toFixed(1)}), ${ratio.toFixed(2)} times as long as alone${isMet ? '' : ': MISSED'}`,
  );
  return isMet;
}
