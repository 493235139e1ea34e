// npm run bench -- lookups: how long a revoked token and an integration as it was before a change are still used, across 8 processes of
// Onefold under load, while all is well, events are lost, NATS is away or starts again, and the database is slow; and how often a busy token and
// an integration are looked up. It takes five minutes, and ends with 1 where an aim is missed; docs/scale.md has what it printed.
//   npm run bench -- lookups --tokens 6 --rounds 4
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openTargets } from './bench-targets.mjs';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({
  options: {
    tokens: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '60' },
  },
});
const [tokens, rounds, seconds] = [values.tokens, values.rounds, values.seconds].map(Number);
const maxUsedMs = 1_000;
/** Longer than a look-up is remembered where changes are not certain. */
const rememberedMs = 1_500;
const pollMs = 50;

const { default: pg } = await import('pg');
const { startNats } = await import(join(root, 'dist/test/harness/nats/nats.js'));

/** The events of changes are refused by NATS, so none is heard. */
const withoutEvents = `
authorization { users: [ { user: any, password: any, permissions: { publish: { deny: [ "onefold.event.records.changed" ] } } } ] }
no_auth_user: any
`;

/** A provider that says by which path it was called. */
const provider = createServer(({ url = '' }, response) => {
  const [, path] = url.split('/');
  const at = '2026-01-01T00:00:00Z';
  const result = { id: '1', name: path, summary: path, created_at: at, updated_at: at };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ result }));
}).listen(0, '127.0.0.1');
await once(provider, 'listening');
const providerUrl = `http://127.0.0.1:${/** @type {any} */ (provider.address()).port}`;

const rows = [];
let lookUps;
const isRefused = ({ status }) => status === 401;
const isChanged = ({ status, name }) => status === 200 && name === 'after';
const nothing = async () => undefined;
console.log(
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)} before`,
);
await withProcesses('', async (parts) => {
  await measure(parts, 'all is well', nothing);
  lookUps = await countLookUps(parts);
  await measure(parts, 'NATS starts again', async () => {
    await parts.nats.stop();
    await parts.nats.start();
  });
  await measure(parts, 'NATS is away for 3 s', async () => {
    await parts.nats.stop();
    await sleep(3_000);
    await parts.nats.start();
  });
  await measure(parts, 'a slow database', () => slowDown(parts.databasePid, 4_000));
});
await withProcesses(withoutEvents, (parts) => measure(parts, 'every event is lost', nothing));
provider.close();
print();
process.exit(rows.every(({ isWithin }) => isWithin) ? 0 : 1);

/** Starts two of management, three gateways and three connectors. */
async function withProcesses(configuration, work) {
  const targets = await openTargets();
  const nats = await startNats(configuration);
  try {
    const settings = { DOMAINS: 'custom,ticketing' };
    const distributed = await targets.startDistributed(nats.url, settings);
    const { api } = distributed;
    const more = ['management', 'gateway', 'gateway', 'connector', 'connector'];
    const started = await Promise.all(more.map((name) => distributed.startAnother(name)));
    const urls = [api.url];
    for (const one of started.slice(1, 3)) urls.push((await one.says(/"address":"([^"]+)"/))[1]);
    const data = readFileSync(join(root, 'tools/bench-provider.yaml'), 'utf8');
    await api.call('customs_create', { body: { name: 'bench', data } });
    const { account } = (await api.call('accounts_create', { body: { name: 'busy' } })).result;
    const database = new pg.Client({ connectionString: distributed.databaseUrl });
    await database.connect();
    const databasePid = distributed.database.child.pid;
    await work({ api, accountId: account.id, urls, database, databasePid, nats }).finally(() =>
      database.end(),
    );
  } finally {
    await targets.stop();
    await nats.stop();
  }
}

async function makeIntegration({ api, accountId }) {
  const credential = { type: 'token', secret: 'hush' };
  const { result } = await api.call('integrations_create', {
    path: { accountId },
    body: { provider_config: { type: 'custom_bench', url: `${providerUrl}/before`, credential } },
  });
  const { id, refresh_token_id: tokenId } = result.integration;
  return { id, tokenId, secret: result.token.access.secret };
}

/** Revokes tokens and changes integrations in the database while each is called at every gateway, and disturbs the service meanwhile. */
async function measure(parts, name, disturb) {
  const samples = { revoked: [], changed: [] };
  for (let round = 0; round < rounds; round += 1) {
    const made = await Promise.all(Array.from({ length: tokens }, () => makeIntegration(parts)));
    const [revoked, changed] = [made.slice(0, tokens / 2), made.slice(tokens / 2)];
    const [revoking, changing] = [{ at: 0 }, { at: 0 }];
    const running = [
      ...revoked.map((one) => use(parts, one, revoking, samples.revoked, isRefused)),
      ...changed.map((one) => use(parts, one, changing, samples.changed, isChanged)),
    ];
    await sleep(rememberedMs);
    const disturbing = disturb();
    // The clock of the database is that of this machine; what is called after its time counts.
    const at = 'returning extract(epoch from clock_timestamp()) * 1000 as at';
    const deleted = await parts.database.query(`delete from tokens where id = any($1) ${at}`, [
      revoked.map(({ tokenId }) => tokenId),
    ]);
    const updated = await parts.database.query(
      `update integrations set provider_config = jsonb_set(provider_config, '{url}', to_jsonb($2::text)) where id = any($1) ${at}`,
      [changed.map(({ id }) => id), `${providerUrl}/after`],
    );
    revoking.at = Number(deleted.rows.at(-1).at);
    changing.at = Number(updated.rows.at(-1).at);
    await disturbing;
    await Promise.all(running);
  }
  for (const [what, all] of Object.entries(samples)) {
    all.sort((one, other) => one - other);
    const p99 = all[Math.ceil(all.length * 0.99) - 1];
    rows.push({ name, what, all, p99, isWithin: p99 <= maxUsedMs + pollMs });
    console.log(`${name}, ${what}: ${all.length} samples, p99 ${Math.round(p99)} ms`);
  }
}

/** Calls an integration at every gateway until the change is seen, and notes when the last call began that did not see it. */
async function use({ urls }, { secret }, change, samples, sees) {
  const headers = { authorization: `Bearer ${secret}` };
  await Promise.all(
    urls.map(async (url) => {
      let last = 0;
      for (;;) {
        const begun = Date.now();
        const response = await fetch(`${url}/v1/ticketing/tickets/1`, { headers });
        const { result } = /** @type {any} */ (await response.json());
        if (sees({ status: response.status, name: result?.name })) break;
        if (response.status === 200) last = begun; // others, such as 503, use nothing
        await sleep(pollMs);
      }
      while (change.at === 0) await sleep(pollMs);
      samples.push(Math.max(0, last - change.at));
    }),
  );
}

/** Counts how often the database looks up the tokens and integrations that are called at every gateway for a while. */
async function countLookUps(parts) {
  const made = await Promise.all(Array.from({ length: tokens }, () => makeIntegration(parts)));
  const before = await countReads(parts);
  const end = performance.now() + seconds * 1_000;
  let calls = 0;
  await Promise.all(
    made.flatMap(({ secret }) =>
      parts.urls.map(async (url) => {
        const headers = { authorization: `Bearer ${secret}` };
        while (performance.now() < end) {
          const response = await fetch(`${url}/v1/ticketing/tickets/1`, { headers });
          await response.arrayBuffer();
          if (response.status !== 200) throw new Error(`a call ended with ${response.status}`);
          calls += 1;
          await sleep(pollMs);
        }
      }),
    ),
  );
  await sleep(12_000); // the database counts the reads of a connection when it is idle
  const after = await countReads(parts);
  const perMinute = (name) => ((after[name] - before[name]) / tokens / seconds) * 60;
  return {
    calls,
    tokens: perMinute('onefold_token_organization') / parts.urls.length,
    integrations: perMinute('integrations') / 3,
  };
}

async function countReads({ database }) {
  const { rows: found } = await database.query(
    `select relname as name, seq_scan + coalesce(idx_scan, 0) as reads from pg_stat_user_tables
     where relname in ('customs', 'token_secrets')`,
  );
  const reads = Object.fromEntries(found.map(({ name, reads: count }) => [name, Number(count)]));
  // A look-up of a token reads its secret twice, for the organization and for the token; one of an integration its document once.
  return { onefold_token_organization: reads['token_secrets'] / 2, integrations: reads['customs'] };
}

/** Stops the processes of the database for 400 of every 500 ms. */
async function slowDown(pid, forMs) {
  const signal = (name) => {
    for (const one of [pid, ...childrenOf(pid)])
      try {
        process.kill(one, name);
      } catch {
        continue; // it has ended
      }
  };
  try {
    for (const end = performance.now() + forMs; performance.now() < end;) {
      signal('SIGSTOP');
      await sleep(400);
      signal('SIGCONT');
      await sleep(100);
    }
  } finally {
    signal('SIGCONT');
  }
}

function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
}

function print() {
  console.log('\n| meanwhile | what | samples | p50 ms | p99 ms | longest ms | aim p99 ≤ 1 s |');
  console.log('|---|---|---|---|---|---|---|');
  const what = { revoked: 'a revoked token', changed: 'an integration as it was' };
  for (const row of rows) {
    const [p50, longest] = [row.all[Math.floor(row.all.length / 2)], row.all.at(-1)];
    const times = [p50, row.p99, longest].map((one) => Math.round(one));
    console.log(
      `| ${[row.name, what[row.what], row.all.length, ...times, row.isWithin ? 'met' : 'missed'].join(' | ')} |`,
    );
  }
  console.log(
    `\nlook-ups per process and minute, in ${lookUps.calls} calls of ${seconds} s: ${lookUps.tokens.toFixed(2)} of a token, ${lookUps.integrations.toFixed(2)} of an integration; load ${loadavg()[0]?.toFixed(1)} after`,
  );
}
