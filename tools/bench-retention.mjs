// Whether retention holds up what happens meanwhile: rows that expired are removed from a database of its own, by partitions and by steps, while others
// are stored, read and changed beside them. Ends with 1 if one of these waited for more than a second.
//   npm run bench -- retention
//   npm run bench -- retention --rows 100000
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(values.rows);
const maxWaitMs = 1_000;
const { startEmbeddedPostgres } = await import(`${root}/dist/libs/embedded/src/index.js`);
const { connectDatabase, migrate, Store } = await import(`${root}/dist/libs/store/src/index.js`);

const folder = mkdtempSync(join(tmpdir(), 'onefold-bench-'));
chmodSync(folder, 0o711);
let missed = false;
let attempts = 0;
const database = await startEmbeddedPostgres({ folder: join(folder, 'database') });
try {
  await migrate(database.url);
  const owner = new pg.Client({ connectionString: database.url });
  owner.on('error', () => undefined); // The database stops before it where something failed.
  await owner.connect();
  await fill(owner);
  const store = new Store(await connectDatabase({ url: database.url }));
  console.log(`${rows} rows of each, load ${loadavg()[0]}`);
  console.log('\n| meanwhile | took s | operations | p50 ms | p99 ms | longest ms |');
  console.log('|---|---|---|---|---|---|');
  await measure('nothing', () => setTimeout(10_000));
  await measure('partitions are dropped', async () => {
    // One that is in use is dropped at the next time.
    for (let dropped = 0; dropped < 3;) {
      const done = await store.keepHistory();
      dropped += done.filter((one) => one.startsWith('dropped')).length;
      if (done.some((one) => one.endsWith('in use'))) attempts += 1;
      else if (dropped < 3) throw new Error(`three partitions are over, but: ${done.join(', ')}`);
    }
  });
  await measure('expired keys are removed by steps', async () => {
    while ((await store.prune()).length > 0);
  });
  await measure('vacuum', async () => {
    for (const table of ['idempotency_keys', 'operation_executions', 'integration_events'])
      await owner.query(`vacuum ${table}`);
  });
  console.log(`\n${attempts} times a partition was in use`);
  await store.close();
  await owner.end();
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(missed ? 1 : 0);

/** Runs, changes of states and hours of usage in partitions that are over, and keys that expired. */
async function fill(owner) {
  await owner.query('set session_replication_role = replica');
  await owner.query(
    `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
     values ('org_a', 'a', 'A', 'root', 't', now(), now())`,
  );
  const tables = ['operation_executions', 'integration_events', 'usage_hours'];
  for (const table of tables) await owner.query(`drop table ${table}_before`);
  await owner.query('select onefold_keep_history()');
  for (const table of tables)
    await owner.query(
      `create table ${table}_over partition of ${table} for values from ('2020-01-01 00:00Z') to ('2021-01-01 00:00Z')`,
    );
  const at = `timestamptz '2020-01-02 00:00Z' + n * interval '1 second'`;
  for (const statement of [
    `insert into operation_executions (id, organization_id, account_id, integration_id, operation_id, operation, trigger_type, trigger_source,
       status, started_at, completed_at) select 'exe_' || n, 'org_a', 'acc_a', 'int_a', 'opr_a', 'o', 'API', 'manual', 'COMPLETE', ${at}, ${at}`,
    `insert into integration_events (organization_id, account_id, integration_id, name, created_at, status, request)
       select 'org_a', 'acc_a', 'int_' || n % 1000, n::text, ${at}, 'healthy', n`,
    `insert into usage_hours (organization_id, account_id, integration_id, hour)
       select 'org_a', 'acc_a', 'int_' || n, date_trunc('hour', ${at})`,
    `insert into idempotency_keys select 'org_a', 'tok', 'op', 'key-' || n, 'h', null, now() - interval '2 days'`,
  ])
    await owner.query(`${statement} from generate_series(1, $1::int) n`, [rows]);
  await owner.query('reset session_replication_role');
  await owner.query('vacuum analyze');
}

/** Stores, reads and removes rows of now in the same tables until the work ends, and prints how long that took. */
async function measure(name, work) {
  const clients = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      client.on('error', () => undefined);
      return client;
    }),
  );
  let isOver = false;
  const times = [];
  const loops = clients.map(async (client, index) => {
    for (let n = 0; !isOver; n += 1) {
      const begun = performance.now();
      await client.query(
        `insert into idempotency_keys values ('org_a', 'tok', 'op', $1, 'h', null, now())
         on conflict (organization_id, owner_id, operation, key) do update set created_at = excluded.created_at`,
        [n % 2 === 0 ? `key-${1 + ((index * 7919 + n * 104_729) % rows)}` : `new-${index}-${n}`],
      );
      await client.query(
        `insert into integration_events (organization_id, account_id, integration_id, name, created_at, status, request)
         values ('org_a', 'acc_a', $1, $2, now(), 'healthy', 1)`,
        [`int_${index}_${n}`, String(n)],
      );
      await client.query(
        `select id from operation_executions where organization_id = 'org_a' order by name desc limit 100`,
      );
      times.push(performance.now() - begun);
      await setTimeout(5);
    }
  });
  const begun = performance.now();
  let took;
  try {
    await work();
  } finally {
    took = (performance.now() - begun) / 1_000;
    isOver = true;
    await Promise.all(loops);
  }
  for (const client of clients) await client.end();
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  if (at(1) > maxWaitMs) missed = true;
  console.log(
    `| ${name} | ${took.toFixed(1)} | ${times.length} | ${at(0.5).toFixed(1)} | ${at(0.99).toFixed(1)} | ${at(1).toFixed(1)} |`,
  );
}
