// npm run bench -- --calls: only the processor time of a call, which other load on the machine changes little.
//   npm run bench -- --calls --against ../before --rounds 5    runs another checkout, which is built, beside this one and compares medians
//   npm run bench -- --calls --setting ACCESS_LOG=on --rounds 5    runs it without and with a setting
//   --amount 20000 calls are measured in each round, after WARM_UP calls
import autocannon from 'autocannon';
import { resolve } from 'node:path';
import { root } from './install.mjs';
import { accountTarget, documentTarget, openTargets, processorTimes } from './bench-targets.mjs';

/** Calls of one slice: the checkouts take turns slice by slice, so that a machine that slows down slows both. autocannon takes a second to end each. */
const SLICE = 2_000;
/** Calls before the measurement. V8 compiles functions of the gateway until some 16,000 calls (`--trace-opt`), and the versions differ in how many. */
const WARM_UP = 20_000;

/** Prints, for this checkout and the other one, the microseconds that each process spends on a call. */
export async function benchCalls({ against, setting, rounds, amount, connections }) {
  const before = against ? resolve(against) : setting && root;
  const checkouts = { ...(before ? { before } : {}), after: root };
  const [variable, value] = setting?.split('=') ?? [];
  const settings = { before: {}, after: variable === undefined ? {} : { [variable]: value } };
  const found = { before: [], after: [] };
  for (let round = 1; round <= rounds; round += 1) {
    const measured = await measure(checkouts, settings, amount, connections);
    for (const [name, times] of Object.entries(measured)) {
      found[name].push(times);
      const text = Object.entries(times).map(([process, time]) => `${process} ${Math.round(time)}`);
      console.log(`round ${round}, ${name}, µs a call: ${text.join(', ')}`);
    }
  }
  print(found, before !== undefined);
}

/** Starts all checkouts at once; returns, by checkout, the microseconds a call by process. */
async function measure(checkouts, settings, amount, connections) {
  const opened = {};
  try {
    for (const [name, checkout] of Object.entries(checkouts))
      opened[name] = await openTargets(checkout);
    const measured = Object.fromEntries(Object.keys(opened).map((name) => [name, {}]));
    const measureChain = async (chain, targets) => {
      const found = await alternate(targets, amount, connections);
      for (const [name, times] of Object.entries(found)) {
        const processes = Object.entries(times);
        for (const [process, time] of processes) measured[name][`${chain}: ${process}`] = time;
        const whole = processes.reduce((sum, [, time]) => sum + time, 0);
        if (processes.length > 1) measured[name][`${chain}: together`] = whole;
      }
    };
    const nats = await mapValues(opened, (targets) => targets.startNats());
    const distributed = await mapValues(opened, (targets, name) =>
      targets.startDistributed(nats[name].url, settings[name]),
    );
    await measureChain('ticket', distributed);
    const bare = await mapValues(opened, async (targets, name) =>
      targets.startBare(nats[name].url, await ticketOf(distributed[name])),
    );
    await measureChain('bare chain', bare);
    const documents = await mapValues(distributed, (target, name) =>
      documentTarget(target, bare[name]),
    );
    await measureChain('ticket by a document', documents);
    await measureChain('account', await mapValues(distributed, accountTarget));
    await measureChain(
      'ticket',
      await mapValues(opened, (targets, name) => targets.startEmbedded(settings[name])),
    );
    return measured;
  } finally {
    for (const targets of Object.values(opened)) await targets.stop();
  }
}

async function alternate(targets, amount, connections) {
  for (const target of Object.values(targets)) await call(target, WARM_UP, connections);
  const spent = await mapValues(targets, ({ processes }) => mapEach(processes, () => 0));
  const slices = Math.ceil(amount / SLICE);
  for (let slice = 0; slice < slices; slice += 1) {
    const order = Object.entries(targets);
    if (slice % 2 === 1) order.reverse();
    for (const [name, target] of order) {
      const before = processorTimes(target.processes);
      await call(target, SLICE, connections);
      const after = processorTimes(target.processes);
      for (const process of Object.keys(before))
        spent[name][process] += after[process] - before[process];
    }
  }
  return mapEach(spent, (times) => mapEach(times, (time) => time / (slices * SLICE)));
}

async function ticketOf({ url, headers }) {
  return await (await fetch(url, { headers })).text();
}

async function mapValues(record, map) {
  const entries = [];
  for (const [name, value] of Object.entries(record)) entries.push([name, await map(value, name)]);
  return Object.fromEntries(entries);
}

function mapEach(record, map) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

async function call({ url, headers }, amount, connections) {
  const { non2xx, errors } = await autocannon({ url, headers, connections, amount });
  if (non2xx > 0 || errors > 0)
    throw new Error(`${non2xx} responses of ${url} were no success, ${errors} calls failed`);
}

function print({ before, after }, isComparison) {
  console.log(
    `\n| µs a call, median of ${after.length} | ${isComparison ? 'before | ' : ''}after |${isComparison ? ' change | changes of the rounds |' : ''}`,
  );
  console.log(`|---|---|${isComparison ? '---|---|---|' : ''}`);
  for (const name of Object.keys(after[0])) {
    const now = median(after.map((times) => times[name]));
    if (!isComparison) console.log(`| ${name} | ${Math.round(now)} |`);
    else {
      const then = median(before.map((times) => times[name]));
      const change = ((now / then - 1) * 100).toFixed(1);
      // Two processes of one version differ by a tenth, so one round says little: this shows how far to trust the medians.
      const changes = after.map((times, round) => times[name] / before[round][name] - 1);
      const spread = [0, 0.25, 0.5, 0.75, 1].map((share) =>
        (quantile(changes, share) * 100).toFixed(0),
      );
      console.log(
        `| ${name} | ${Math.round(then)} | ${Math.round(now)} | ${change} % | ${spread.join(', ')} % |`,
      );
    }
  }
}

function median(numbers) {
  return quantile(numbers, 0.5);
}

function quantile(numbers, share) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
