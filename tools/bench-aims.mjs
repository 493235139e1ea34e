// npm run bench -- --aims: the two ratios that the design names, by processor time. A call by a provider document beside the bare chain, and a read
// of the management API beside `pg` alone sending the same statements. All take turns in small slices, so that a machine that slows down slows
// all, and the median of the slices counts. On cores that are busy, rates are the inverse of processor time; they are printed next to it.
//   npm run bench -- --aims --rounds 20 --amount 500 --warm-up 8000
//   npm run bench -- --aims --against ../before    with another checkout, which is built, in the same turns
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import { recordStatements, Replay } from './bench-statements.mjs';
import { accountTarget, documentTarget, imageOptions, openTargets } from './bench-targets.mjs';
import { root } from './install.mjs';

/** Measures and prints both ratios. @param amount calls of one slice */
export async function benchAims({ against, rounds, amount, warmUp, connections }) {
  const opened = {};
  /** @type {Record<'document' | 'account', any[]>} */
  const contenders = { document: [], account: [] };
  try {
    for (const [version, checkout] of versionsOf(against)) {
      opened[version] = await openTargets(checkout);
      const found = await contendersOf(opened[version], version, connections);
      contenders.document.push(...found.document);
      contenders.account.push(...found.account);
    }
    for (const [kind, all] of Object.entries(contenders)) {
      const slices = await takeTurns(all, { rounds, amount, warmUp });
      print(kind, slices, { rounds, amount, connections });
    }
    for (const { end } of Object.values(contenders).flat()) await end();
  } finally {
    for (const targets of Object.values(opened)) await targets.stop();
  }
}

function versionsOf(against) {
  return [...(against ? [['before', resolve(against)]] : []), ['now', root]];
}

/** Starts a checkout. Each contender has a name, its processes, and a function that makes calls. */
async function contendersOf(targets, version, connections) {
  const server = await targets.startNats();
  const nats = childListeningAt(new URL(server.url).port);
  const distributed = await targets.startDistributed(server.url);
  const { url, headers } = distributed;
  const bare = await targets.startBare(server.url, await (await fetch(url, { headers })).text());
  const document = await documentTarget(distributed, bare);
  const account = await accountTarget(distributed);
  const replay = await replayOf(distributed, account);
  const pids = (processes, more) => ({
    ...Object.fromEntries(Object.entries(processes).map(([name, { child }]) => [name, child.pid])),
    ...more,
  });
  const provider = { 'HTTP server': bare.processes.bare.child.pid };
  const database = { database: distributed.database.child.pid };
  // The database is a child of this process, so it is counted with it.
  const embedded = await targets.startEmbedded({ EGRESS_ALLOW: '127.0.0.1', ...imageOptions });
  const embeddedDocument = await documentTarget(embedded, bare);
  const embeddedAccount = await accountTarget(embedded);
  return {
    document: [
      callsOf(
        `document, ${version}`,
        document,
        connections,
        pids(document.processes, { nats, ...provider }),
      ),
      callsOf(
        `document, embedded, ${version}`,
        embeddedDocument,
        connections,
        pids(embedded.processes, provider),
      ),
      ...(version === 'now'
        ? [
            callsOf('bare chain', bare, connections, {
              'bare chain': bare.processes.bare.child.pid,
              nats,
            }),
          ]
        : []),
    ],
    account: [
      callsOf(`account, ${version}`, account, connections, pids(account.processes, { nats })),
      callsOf(
        `account, embedded, ${version}`,
        embeddedAccount,
        connections,
        pids(embedded.processes),
      ),
      ...(version === 'now'
        ? [
            {
              name: 'pg alone',
              pids: { ...database, pg: process.pid },
              call: (amount) => replay.run(connections, (done) => done < amount),
              end: () => replay.end(),
            },
          ]
        : []),
    ],
  };
}

function callsOf(name, { url, headers }, connections, pids) {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const one = async () => {
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${name}: ${statusCode} ${text}`);
  };
  const call = async (amount) => {
    let left = amount;
    const caller = async () => {
      while (left > 0) {
        left -= 1;
        await one();
      }
    };
    await Promise.all(Array.from({ length: connections }, caller));
  };
  return { name, pids, call, end: () => pool.close() };
}

/** Records the statements of a read from the log of the database. */
async function replayOf({ databaseUrl, databaseLog }, { url, headers }) {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  const { rows } = await owner.query('select current_database() as name');
  // The server's own setting stands on its command line, so the database's counts, for connections that are made from now on.
  const logging = async (change) => {
    await owner.query(`alter database "${rows[0].name}" ${change}`);
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
  };
  const read = async () => {
    const response = await fetch(url, { headers });
    await response.text();
    return response.ok ? response.headers.get('x-request-id') : undefined;
  };
  /** The processes connect again, and each connection prepares the statement once. */
  const settle = async () => {
    for (let good = 0; good < 50;) good += (await read()) === undefined ? 0 : 1;
  };
  await logging("set log_statement = 'all'");
  await settle();
  // Work of the service beside the call is in some of the recordings.
  const recorded = [];
  for (let time = 0; time < 5; time += 1) {
    await sleep(1_000); // The gateway asks for the token once a second: now, and not while the statements are recorded.
    await read();
    recorded.push(await recordStatements(databaseLog, read));
  }
  const [{ answer, statements }] = recorded.sort(
    (one, other) => one.statements.length - other.statements.length,
  );
  await logging('reset log_statement');
  await settle();
  await owner.end();
  if (answer === undefined || statements.length === 0)
    throw new Error('the statements of a read are not in the log of the database');
  console.log(`A read sends ${statements.length} statements.`);
  return new Replay(databaseUrl, statements, [answer]);
}

/** Lets contenders take turns. @returns for each of them its slices: microseconds of each process for a call, and calls per second */
async function takeTurns(contenders, { rounds, amount, warmUp }) {
  const slices = new Map(contenders.map(({ name }) => [name, []]));
  for (const { call } of contenders) await call(warmUp);
  for (let round = 0; round < rounds; round += 1)
    for (const { name, pids, call } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const before = timesOf(pids);
      const began = performance.now();
      await call(amount);
      const rate = (amount * 1_000) / (performance.now() - began);
      const after = timesOf(pids);
      const times = Object.keys(pids).map((one) => [one, (after[one] - before[one]) / amount]);
      slices.get(name).push({ rate, times: Object.fromEntries(times) });
    }
  return slices;
}

function timesOf(pids) {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, processorTime(pid)]));
}

/** Microseconds, user and system, of all threads of a process and of its children: PostgreSQL has one for each connection. */
function processorTime(pid) {
  let time = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    time += Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
    if (pid !== process.pid)
      for (const child of readFileSync(`${folder}/children`, 'utf8').split(' ').filter(Boolean))
        time += processorTime(child);
  }
  return time;
}

/** Finds the child of this process that was told to listen at a port. */
function childListeningAt(port) {
  const children = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const found = children.find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(port),
  );
  if (found === undefined) throw new Error(`no child of this process listens at ${port}`);
  return found;
}

function print(kind, slices, { rounds, amount, connections }) {
  const load = Math.round(loadavg()[0]);
  console.log(
    `\n${kind}: medians of ${rounds} slices of ${amount} calls in turns, ${connections} at a time, load ${load}\n`,
  );
  console.log(
    '| | µs of processor time | quartiles | of the last, by processor time | calls/s | of the last, by calls/s |',
  );
  console.log('|---|---|---|---|---|---|');
  const rows = [...slices].map(([name, all]) => ({
    name,
    all,
    sums: all.map(({ times }) => Object.values(times).reduce((sum, time) => sum + time)),
    rates: all.map(({ rate }) => rate),
  }));
  const last = rows[rows.length - 1];
  for (const { name, sums, rates } of rows) {
    // Ratios within a round: both had the same machine.
    const byTime = median(sums.map((sum, round) => (last.sums[round] / sum) * 100));
    const byRate = median(rates.map((rate, round) => (rate / last.rates[round]) * 100));
    const quartiles = [0.25, 0.75].map((share) => Math.round(quantile(sums, share))).join('–');
    console.log(
      `| ${name} | ${Math.round(median(sums))} | ${quartiles} | ${Math.round(byTime)} % | ${Math.round(median(rates))} | ${Math.round(byRate)} % |`,
    );
  }
  for (const { name, all } of rows) {
    const each = Object.keys(all[0].times).map(
      (process) => `${process} ${Math.round(median(all.map(({ times }) => times[process])))}`,
    );
    console.log(`${name}: ${each.join(', ')}`);
  }
}

function median(numbers) {
  return quantile(numbers, 0.5);
}

function quantile(numbers, share) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
