// Compares versions of Node by what the service takes on them: start to the first answer, idle memory, and processor time and rate of calls.
// The versions take turns; medians of the rounds are printed. Services run with the options of the image. No round begins that would
// probably end after the minutes, so that it can run alone.
//   npm run bench -- node 20 24 26 --rounds 3 --minutes 9
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { openTargets, documentTarget, processorTimes } from './bench-targets.mjs';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing } from './install.mjs';
import { installNode } from './node-versions.mjs';

const connections = 32;
const warmUp = 10_000;
const amount = 10_000;

const begun = Date.now();
installMissing();
const { default: autocannon } = await import('autocannon');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '9' },
    /** For the runs that this program starts itself. */
    measure: { type: 'boolean', default: false },
  },
});
if (values.measure) console.log(JSON.stringify(await measure()));
else
  compare(positionals.length > 0 ? positionals : ['20', '24', '26'], {
    rounds: Number(values.rounds),
    end: begun + Number(values.minutes) * 60_000,
  });

function compare(versions, { rounds, end }) {
  buildIfChanged();
  const nodes = versions.map(installNode);
  const found = nodes.map(() => []);
  const before = loadavg()[0];
  let expectedMs = 0;
  for (let round = 1; round <= rounds && Date.now() + expectedMs < end; round += 1) {
    const roundBegun = Date.now();
    for (const [index, { node }] of nodes.entries()) found[index].push(measureBy(node));
    expectedMs = Math.max(expectedMs, Date.now() - roundBegun);
    const seconds = Math.round((Date.now() - begun) / 1_000);
    console.error(`Round ${round} of ${rounds} ended after ${seconds} s, load ${loadNow()}`);
  }
  console.log(
    `Medians of ${found[0].length} rounds on ${cpus().length} cores, load ${before.toFixed(0)} before and ${loadNow()} at the end:\n`,
  );
  console.log(`| | ${nodes.map(({ full }) => full).join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(nodes.length)}`);
  for (const name of Object.keys(found[0][0]))
    console.log(
      `| ${name} | ${found.map((all) => median(all.map((one) => one[name]))).join(' | ')} |`,
    );
}

function loadNow() {
  return loadavg()[0].toFixed(0);
}

/** Measures a version of Node in a process of its own. */
function measureBy(node) {
  const printed = execFileSync(node, ['tools/bench-node.mjs', '--measure'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '');
}

/** Measures the version of Node that runs this program. */
async function measure() {
  const targets = await openTargets();
  try {
    const embedded = await targets.startEmbedded();
    const { url: natsUrl } = await targets.startNats();
    const distributed = await targets.startDistributed(natsUrl);
    const answer = await (await fetch(distributed.url, { headers: distributed.headers })).text();
    const bare = await targets.startBare(natsUrl, answer);
    const [management, connector, gateway] = distributed.memory;
    return {
      'embedded, start to first answer, ms': Math.round(embedded.firstAnswer),
      'idle MB: embedded': embedded.memory[0],
      'idle MB: management': management,
      'idle MB: connector': connector,
      'idle MB: gateway': gateway,
      ...(await load('ticket of a mock', distributed)),
      ...(await load('ticket by a document', await documentTarget(distributed, bare))),
    };
  } finally {
    await targets.stop();
  }
}

async function load(name, { url, headers, processes }) {
  await call({ url, headers, amount: warmUp });
  const before = processorTimes(processes);
  const rate = await call({ url, headers, amount });
  const after = processorTimes(processes);
  const micros = Object.keys(before).reduce((sum, one) => sum + after[one] - before[one], 0);
  return {
    [`${name}: µs of processor time`]: Math.round(micros / amount),
    [`${name}: calls/s`]: Math.round(rate),
  };
}

async function call({ url, headers, amount: calls }) {
  const sent = performance.now();
  const { non2xx, errors } = await autocannon({ url, headers, connections, amount: calls });
  if (non2xx > 0 || errors > 0)
    throw new Error(`${non2xx} responses of ${url} were no success, ${errors} calls failed`);
  return (calls * 1_000) / (performance.now() - sent);
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}
