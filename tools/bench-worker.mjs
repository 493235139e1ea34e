// Deliveries of the worker per second of processor time, beside a bare loop of `fetch` that sends the same bodies to the same receiver. The webhooks are
// paused while their deliveries are made, and resumed together. Then records of a job per second, beside the same pages copied by hand, and the memory of
// worker and connector meanwhile.
//   npm run bench:worker -- --accounts 2500 --webhooks 8 --records 1000000
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { benchJobs } from './bench-jobs.mjs';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '2500' },
    webhooks: { type: 'string', default: '8' },
    records: { type: 'string', default: '1000000' },
  },
});
const accounts = Number(values.accounts);
const webhooks = Number(values.webhooks);
const deliveries = accounts * webhooks;
const concurrency = 24; // Three webhooks of an organization at a time, eight requests each.
const { startEmbedded } = await import(join(root, 'dist/test/e2e/onefold.js'));

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
const url = `http://127.0.0.1:${String(port).trim()}/`;
const received = async () => Number(await (await fetch(url)).text());

const onefold = await startEmbedded();
try {
  const body = await measureWorker();
  await measureFetch(body);
} finally {
  await onefold.stop();
  receiver.kill();
}
await benchJobs(Number(values.records));

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
