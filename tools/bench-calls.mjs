// npm run bench -- --calls: only the processor time of a call, which other load on the machine changes little.
//   npm run bench -- --calls --against ../before --rounds 5    alternates with another checkout that is built, and compares medians
//   --amount 20000 calls are measured in each round, after a quarter as many that warm up
import autocannon from 'autocannon';
import { resolve } from 'node:path';
import { root } from './install.mjs';
import { openTargets, processorTimes } from './bench-targets.mjs';

/** Prints, for this checkout and the other one, the microseconds that each process spends on a call. */
export async function benchCalls({ against, rounds, amount, connections }) {
  const checkouts = { ...(against ? { before: resolve(against) } : {}), after: root };
  const found = { before: [], after: [] };
  for (let round = 1; round <= rounds; round += 1)
    for (const [name, checkout] of Object.entries(checkouts)) {
      const times = await measure(checkout, amount, connections);
      found[name].push(times);
      const text = Object.entries(times).map(([process, time]) => `${process} ${Math.round(time)}`);
      console.log(`round ${round}, ${name}, µs a call: ${text.join(', ')}`);
    }
  print(found, against !== undefined);
}

async function measure(checkout, amount, connections) {
  const targets = await openTargets(checkout);
  try {
    const nats = await targets.startNats();
    const distributed = await targets.startDistributed(nats.url);
    const embedded = await targets.startEmbedded();
    const times = {};
    for (const [form, target] of Object.entries({ distributed, embedded })) {
      await call(target, Math.ceil(amount / 4), connections);
      const before = processorTimes(target.processes);
      await call(target, amount, connections);
      const after = processorTimes(target.processes);
      const spent = Object.keys(before).map((name) => [
        name,
        (after[name] - before[name]) / amount,
      ]);
      if (form === 'distributed')
        spent.push(['distributed', spent.reduce((sum, [, time]) => sum + time, 0)]);
      Object.assign(times, Object.fromEntries(spent));
    }
    return times;
  } finally {
    await targets.stop();
  }
}

async function call({ url, headers }, amount, connections) {
  const { non2xx, errors } = await autocannon({ url, headers, connections, amount });
  if (non2xx > 0 || errors > 0)
    throw new Error(`${non2xx} responses of ${url} were no success, ${errors} calls failed`);
}

function print({ before, after }, isComparison) {
  console.log(
    `\n| µs a call, median of ${after.length} | ${isComparison ? 'before | ' : ''}after |${isComparison ? ' change |' : ''}`,
  );
  console.log(`|---|---|${isComparison ? '---|---|' : ''}`);
  for (const name of Object.keys(after[0])) {
    const now = median(after.map((times) => times[name]));
    if (!isComparison) console.log(`| ${name} | ${Math.round(now)} |`);
    else {
      const then = median(before.map((times) => times[name]));
      const change = ((now / then - 1) * 100).toFixed(1);
      console.log(`| ${name} | ${Math.round(then)} | ${Math.round(now)} | ${change} % |`);
    }
  }
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
