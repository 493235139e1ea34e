// npm run bench: a bare chain of node:http and NATS beside Onefold, distributed and embedded, in one run. Read the ratios:
// absolute rates are the machine's. Then the management API, provider documents and the start: tools/bench-management.mjs,
// tools/bench-providers.mjs, tools/bench-records.mjs, tools/bench-start.mjs. What they measured last stands in docs/performance.md.
//   npm run bench -- --seconds 10 --connections 32
//   npm run bench -- --calls    only the processor time of a call: tools/bench-calls.mjs
//   npm run bench -- --aims     only the ratios that the design names: tools/bench-aims.mjs
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAims } from './bench-aims.mjs';
import { benchCalls } from './bench-calls.mjs';
import { documentTarget, openTargets, processorTimes } from './bench-targets.mjs';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing } from './install.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '32' },
    accounts: { type: 'string' }, // of bench-management.mjs
    calls: { type: 'boolean', default: false },
    aims: { type: 'boolean', default: false },
    'warm-up': { type: 'string', default: '8000' },
    against: { type: 'string' },
    setting: { type: 'string' }, // of bench-calls.mjs
    rounds: { type: 'string' },
    amount: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
if (values.calls) {
  const [rounds, amount] = [Number(values.rounds ?? 1), Number(values.amount ?? 20_000)];
  const { against, setting } = values;
  await benchCalls({ against, setting, rounds, amount, connections });
  process.exit();
}
if (values.aims) {
  const [rounds, amount] = [Number(values.rounds ?? 20), Number(values.amount ?? 500)];
  const warmUp = Number(values['warm-up']);
  await benchAims({ against: values.against, rounds, amount, warmUp, connections });
  process.exit();
}
const { default: autocannon } = await import('autocannon');
const targets = await openTargets();
const rows = [];
try {
  const nats = await targets.startNats();
  const distributed = await targets.startDistributed(nats.url);
  const embedded = await targets.startEmbedded();
  const bare = await targets.startBare(nats.url, await ticketOf(distributed));
  /** @type {[name: string, target: any][]} */
  const chains = [
    ['bare node:http → NATS → node:http', bare],
    ['Onefold distributed', distributed],
    ['Onefold embedded', embedded],
    ['distributed, by a provider document', await documentTarget(distributed, bare)],
  ];
  for (const [, target] of chains) await load(target, connections, 3); // Warms up.
  for (const [name, target] of chains)
    rows.push({
      name,
      busy: await load(target, connections, seconds),
      single: await load(target, 1, seconds / 2),
      target,
    });
  print();
} finally {
  await targets.stop();
}

await import('./bench-management.mjs');
await import('./bench-providers.mjs');
await import('./bench-records.mjs');
await import('./bench-start.mjs');

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
    p99, // For a full second, because each connection always has a call running; autocannon counts whole milliseconds.
    mean: (1_000 * count) / result.requests.average,
    processor: Object.keys(processes)
      .map((name) => `${name} ${Math.round((after[name] - before[name]) / result.requests.total)}`)
      .join(', '),
  };
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
  console.log(`\nProcessor time for each call at ${connections}, µs:`);
  for (const { name, busy } of rows) console.log(`- ${name}: ${busy.processor}`);
  console.log(
    `\nStart of the embedded form to its first answer, database made on the way: ${Math.round(embedded.target.firstAnswer)} ms`,
  );
  console.log(`Idle memory embedded (without PostgreSQL): ${embedded.target.memory[0]} MB`);
  console.log(
    `Idle memory distributed: management ${distributed.target.memory[0]} MB, connector ${distributed.target.memory[1]} MB, gateway ${distributed.target.memory[2]} MB`,
  );
}
