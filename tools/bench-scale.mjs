// npm run bench -- scale: calls per second with 1, 2 and 4 connectors of one domain on this machine, the processor time of a call in each
// process, and how much of a core each of them takes. It ends within three minutes; docs/scale.md has what it printed.
//   npm run bench -- scale --seconds 4 --connections 64
//   npm run bench -- scale --lookups     only what a call costs whose token was not used for a second
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { documentTarget, openTargets, processorTimes } from './bench-targets.mjs';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing } from './install.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    lookups: { type: 'boolean', default: false }, // only the tables of few calls per second
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const counts = values.lookups ? [1] : [4, 2, 1];
/** V8 compiles functions of a process until many thousand calls, so all connectors run from the beginning and are stopped one by one. */
const warmUpCalls = values.lookups ? 3_000 : 20_000;

/** More than are called in a second, so that none was called in the second before. */
const tokens = 250;
const lookUpsPerSecond = 200;

const { default: autocannon } = await import('autocannon');
const { connect } = await import('@nats-io/transport-node');
const targets = await openTargets();
const [processor] = cpus();
console.log(
  `${cpus().length} × ${processor?.model ?? 'unknown'}, Node ${process.version}, ${seconds} s each, ${connections} callers, load ${loadavg()[0]?.toFixed(1)} before`,
);
const rows = [];
try {
  const nats = await targets.startNats();
  // A customer's own document is of the domain custom, whatever it serves.
  const distributed = await targets.startDistributed(nats.url, { DOMAINS: 'custom,ticketing' });
  const ticket = await (await fetch(distributed.url, { headers: distributed.headers })).text();
  const bare = await targets.startBare(nats.url, ticket);
  /** @type {Record<string, any>} */
  const kinds = {
    'the mock (one read of the database)': distributed,
    'a provider document (one HTTP request)': await documentTarget(distributed, bare),
  };
  const { management, gateway, connector } = distributed.processes;
  const connectors = [connector];
  const announced = await listenToAnnouncements(nats.url);
  while (connectors.length < Math.max(...counts))
    connectors.push(await distributed.startAnother('connector'));
  const announcementBytes = await announced.largest();
  for (const target of Object.values(kinds)) await call({ ...target, amount: warmUpCalls });
  for (const count of counts) {
    while (connectors.length > count) await connectors.pop()?.stop();
    const processes = {
      gateway,
      ...Object.fromEntries(connectors.map((one, at) => [`connector ${at + 1}`, one])),
      management,
      NATS: { child: { pid: pidOf(nats.url) } },
      PostgreSQL: distributed.database,
    };
    for (const [kind, target] of values.lookups ? [] : Object.entries(kinds))
      rows.push({ kind, count, ...(await measure(target, processes)) });
    if (count === 1) rows.push(...(await measureLookUps(processes)));
  }
  console.log(`the announcement of a process has up to ${announcementBytes} bytes`);

  /** Few calls per second, all with one token and each with another one. */
  async function measureLookUps(processes) {
    const { api, url } = distributed;
    const { account } = (await api.call('accounts_create', { body: { name: 'tokens' } })).result;
    const secrets = [];
    while (secrets.length < tokens) {
      const made = Array.from({ length: 10 }, () =>
        api.call('integrations_create', {
          path: { accountId: account.id },
          body: { provider_config: { type: 'ticketing_mock_ticketing' } },
        }),
      );
      for (const { result } of await Promise.all(made)) secrets.push(result.token.access.secret);
    }
    const measured = [];
    const few = {
      'the mock, at the same rate, all with one token': secrets.slice(0, 1),
      'the mock, each with a token that was not called for a second': secrets,
    };
    for (const [kind, some] of Object.entries(few)) {
      const requests = some.map((secret) => ({ headers: { authorization: `Bearer ${secret}` } }));
      const options = { requests, overallRate: lookUpsPerSecond, connections: 1 };
      await call({ url, headers: {}, ...options, duration: undefined, amount: tokens });
      const found = await measure({ url, headers: {}, ...options }, processes);
      measured.push({ kind, count: 1, ...found });
    }
    return measured;
  }
} finally {
  await targets.stop();
}
print();
console.log(`\nload ${loadavg()[0]?.toFixed(1)} after`);

async function measure(target, processes) {
  await call({ ...target, duration: 1 });
  const before = processorTimes(processes);
  const caller = process.cpuUsage();
  const begin = performance.now();
  const { requests } = await call({ ...target, duration: seconds });
  const wallMicroseconds = (performance.now() - begin) * 1_000;
  const after = processorTimes(processes);
  const { user, system } = process.cpuUsage(caller);
  const calls = requests.total;
  const times = Object.fromEntries(
    Object.keys(after).map((name) => [name, after[name] - before[name]]),
  );
  times['the caller'] = user + system;
  return { perSecond: requests.average, calls, times, wallMicroseconds };
}

async function call({ url, headers, duration, amount, ...more }) {
  const limits = duration === undefined ? { amount } : { duration };
  const result = await autocannon({ url, headers, connections, ...limits, ...more });
  if (result.non2xx > 0 || result.errors > 0) {
    const response = await fetch(url, { headers });
    throw new Error(
      `${result.non2xx} calls were refused, ${result.errors} failed; one more says ${response.status} ${await response.text()}`,
    );
  }
  return result;
}

/** Processes announce themselves to all others when one of them starts, and every ten seconds. */
async function listenToAnnouncements(url) {
  const connection = await connect({ servers: url });
  let maxBytes = 0;
  connection.subscribe('onefold.presence', {
    callback: (_error, { data }) => {
      maxBytes = Math.max(maxBytes, data.length);
    },
  });
  return {
    largest: async () => {
      await connection.close();
      return maxBytes;
    },
  };
}

/** The nats-server that listens at an address: a child of this program. */
function pidOf(url) {
  const { port } = new URL(url);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (words[0]?.endsWith('nats-server') && words.includes(port)) return Number(pid);
    } catch {
      continue; // it has ended meanwhile
    }
  }
  throw new Error(`there is no nats-server at port ${port}`);
}

function print() {
  const micros = ({ times, calls }, matches) =>
    Object.entries(times)
      .filter(([name]) => matches.test(name))
      .reduce((sum, [, time]) => sum + time, 0) / calls;
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const own = rows.filter((row) => row.kind === kind).reverse();
    console.log(`\na ticket of ${kind}; µs of processor time for each call\n`);
    console.log(
      '| connectors | calls per second | gateway | connectors | management | NATS | PostgreSQL | together | the caller | calls per second and core | busiest process, of a core |',
    );
    console.log('|---|---|---|---|---|---|---|---|---|---|---|');
    for (const row of own) {
      const parts = [/^gateway/, /^connector/, /^management/, /^NATS/, /^PostgreSQL/].map((one) =>
        micros(row, one),
      );
      const whole = parts.reduce((sum, part) => sum + part, 0);
      const [[name, time]] = Object.entries(row.times).sort(([, one], [, other]) => other - one);
      const share = Math.round((time / row.wallMicroseconds) * 100);
      const cells = [row.count, Math.round(row.perSecond), ...parts.map(Math.round)];
      console.log(
        `| ${[...cells, Math.round(whole), Math.round(micros(row, /^the caller/)), Math.round(1e6 / whole), `${name}, ${share} %`].join(' | ')} |`,
      );
    }
  }
}
