// All figures of the worker: deliveries per second of processor time, beside a bare loop of `fetch` that sends the same bodies to the same receiver (the
// webhooks are paused while their deliveries are made, and resumed together); how soon a provider's message is answered; how soon a change of a schedule
// takes effect; records and bytes of a job per second, beside the same pages copied by hand, and the memory of worker and connector; a simulated year of
// schedules. Ends with 1 if an aim is missed.
//   npm run bench -- worker --accounts 2500 --webhooks 8 --messages 1000 --records 1000000
//   npm run bench -- worker --only jobs --records 10000000             of deliveries, hooks, schedules, jobs and year
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { benchHooks } from './bench-hooks.mjs';
import { benchJobs, pageRecords } from './bench-jobs.mjs';
import { benchSchedules } from './bench-schedules.mjs';
import { benchYear } from './bench-year.mjs';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged('test');
const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '2500' },
    webhooks: { type: 'string', default: '8' },
    messages: { type: 'string', default: '1000' },
    records: { type: 'string', default: '1000000' },
    zone: { type: 'string', default: 'Europe/Berlin' },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const isWanted = (name) => values.only.length === 0 || values.only.includes(name);
const accounts = Number(values.accounts);
const webhooks = Number(values.webhooks);
const deliveries = accounts * webhooks;
const concurrency = 24; // Three webhooks of an organization at a time, eight requests each.
const { startEmbedded } = await import(join(root, 'dist/test/e2e/onefold.js'));

let onefold, url, received;
const met = [
  isWanted('deliveries') ? await benchDeliveries() : true,
  await benchOnOwnServers(),
  isWanted('year') ? await benchYear(values.zone) : true, // last, because it sets the zone
];
if (met.includes(false)) process.exitCode = 1;

/** Deliveries through Onefold, and by hand. @returns true, as there is no aim */
async function benchDeliveries() {
  /** Answers 204 to everything, and says how many requests it has had. */
  const receiverSource = `
  let count = 0;
  const server = require('node:http').createServer((request, response) => {
    if (request.method === 'GET') return response.end(String(count));
    request.resume().on('end', () => { count += 1; response.writeHead(204).end(); });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const receiver = spawn(process.execPath, ['-e', receiverSource]);
  const [port] = await once(receiver.stdout, 'data');
  url = `http://127.0.0.1:${String(port).trim()}/`;
  received = async () => Number(await (await fetch(url)).text());
  onefold = await startEmbedded();
  try {
    const body = await measureWorker();
    await measureFetch(body);
    return true;
  } finally {
    await onefold.stop();
    receiver.kill();
  }
}

/** Measures, with processes of their own over a PostgreSQL that syncs, messages of providers, schedules and jobs. @returns false if an aim is missed */
async function benchOnOwnServers() {
  if (!['hooks', 'schedules', 'jobs'].some(isWanted)) return true;
  const proof = (name) => import(join(root, `dist/test/proof/${name}.js`));
  const { RecordServer } = await proof('record-server');
  const { startOnOwnServers, integrateRecords } = await proof('own-servers');
  const records = Number(values.records);
  const server = await RecordServer.start(records, { forgets: true });
  const servers = await startOnOwnServers({ JOB_PAGE_RECORDS: String(pageRecords) });
  try {
    const integrated = await integrateRecords(servers.onefold, server.url);
    const results = [];
    if (isWanted('hooks'))
      results.push(await benchHooks(servers, integrated, Number(values.messages)));
    if (isWanted('schedules')) results.push(await benchSchedules(servers, integrated, server));
    if (isWanted('jobs')) results.push(await benchJobs(servers, integrated, server, records));
    return !results.includes(false);
  } finally {
    await servers.stop();
    await server.stop();
  }
}

async function measureWorker() {
  const { api, processes } = onefold;
  const made = [];
  for (let index = 0; index < webhooks; index += 1) {
    const { result } = await api.call('organizationWebhooks_create', {
      body: { filters: ['account_create'], url, secret: { value: 'a secret of the bench' } },
    });
    made.push({ webhookId: result.id });
  }
  await move(made, 'paused');
  await inParallel(8, accounts, (index) =>
    api.call('accounts_create', { body: { name: `bench-${index}` } }),
  );
  const pid = processes.standalone.child.pid;
  const before = { cpu: cpuSeconds(pid), at: performance.now() };
  await move(made, 'active');
  while ((await received()) < deliveries) await sleep(50);
  report('worker', performance.now() - before.at, cpuSeconds(pid) - before.cpu);
  const [path] = made;
  const { result } = await api.call('organizationWebhooks_list_deliveries', {
    path,
    query: { limit: 1 },
  });
  return JSON.stringify(result[0].payload);
}

async function move(paths, value) {
  for (const path of paths)
    await onefold.api.call('organizationWebhooks_patch', {
      path,
      body: [{ op: 'replace', path: '/state', value }],
    });
}

async function measureFetch(body) {
  const headers = { 'content-type': 'application/json' };
  const before = { cpu: process.cpuUsage(), at: performance.now() };
  await inParallel(concurrency, deliveries, async () => {
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
  });
  const { user, system } = process.cpuUsage(before.cpu);
  report('bare fetch', performance.now() - before.at, (user + system) / 1e6);
}

function report(name, elapsedMs, cpu) {
  const perSecond = Math.round((deliveries / elapsedMs) * 1_000);
  const perCore = Math.round(deliveries / cpu);
  console.log(
    `${name}: ${deliveries} deliveries, ${perSecond} per second, ${perCore} per second of processor time`,
  );
}

async function inParallel(width, count, work) {
  let next = 0;
  const one = async () => {
    while (next < count) await work((next += 1));
  };
  await Promise.all(Array.from({ length: width }, one));
}

/** Processor time of a process so far: fields 14 and 15 of its stat, in hundredths of a second. */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
