import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Client } from '../e2e/client.js';
import type { Onefold } from '../e2e/onefold.js';
import { integrateRecords, type OwnServers, startOnOwnServers } from './own-servers.js';
import { RecordServer } from './record-server.js';

export const victims = [
  'operations',
  'connector',
  'gateway',
  'management',
  'postgres',
  'nats',
] as const;
export type Victim = (typeof victims)[number];

export interface KillPlan {
  /** Accounts that are created; each is a delivery to each webhook. */
  accounts: number;
  webhooks: number;
  jobs: number;
  /** Records of each job. */
  records: number;
  pageRecords: number;
  /** Processes to kill, in this order, while the work goes on. */
  kills: readonly Victim[];
  /** Between a process that is ready again and the next kill. */
  pauseMs: number;
  /** Time for all of it. */
  withinMs: number;
  log: (line: string) => void;
}

/** Counts at the receiver when everything had ended. Lost, foreign and changed ones must be none. */
export interface Survived {
  deliveries: number;
  lostDeliveries: number;
  foreignDeliveries: number;
  repeatedDeliveries: number;
  jobs: number;
  records: number;
  lostRecords: number;
  /** Records that came under two batch ids. */
  doubledRecords: number;
  repeatedBatches: number;
  /** Batches that came again with other content. */
  changedBatches: number;
}

/** Creates deliveries and jobs while it kills processes with SIGKILL, waits until all has ended, and counts at the receiver. */
export async function surviveKills(plan: KillPlan): Promise<Survived> {
  const server = await RecordServer.start(plan.records);
  const servers = await startOnOwnServers({ JOB_PAGE_RECORDS: String(plan.pageRecords) });
  try {
    const { onefold } = servers;
    startAnother(onefold, 'operations', 'operations 2');
    const { token, sinkId } = await integrateRecords(onefold, server.url);
    await createWebhooks(onefold.api, plan.webhooks, `${server.url}/hooks`);
    const until = Date.now() + plan.withinMs;
    const working = Promise.all([
      createAccounts(onefold.api, plan.accounts, until),
      createJobs(onefold.api.as(token), sinkId, plan.jobs, until),
    ]);
    working.catch(() => undefined); // awaited below
    for (const [index, victim] of plan.kills.entries()) {
      await sleep(plan.pauseMs);
      plan.log(`kill ${index + 1} of ${plan.kills.length}: ${victim}`);
      await kill(servers, victim);
    }
    await working;
    plan.log('all is created, waiting for its end');
    return await countWhenEnded(servers, server, plan, until);
  } finally {
    await servers.stop();
    await server.stop();
  }
}

function startAnother(
  onefold: Onefold,
  app: 'operations' | 'connector' | 'gateway' | 'management',
  name: string = app,
): NonNullable<Onefold['processes'][string]> {
  const next = onefold.startAnother?.(app);
  if (next === undefined) throw new Error('there is one process only');
  onefold.processes[name] = next;
  return next;
}

async function kill(servers: OwnServers, victim: Victim): Promise<void> {
  if (victim === 'postgres') return await servers.killPostgres();
  if (victim === 'nats') return await servers.killNats();
  const { onefold } = servers;
  await onefold.processes[victim]?.stop('SIGKILL');
  await startAnother(onefold, victim).says(/"message":"ready"/, 120_000);
}

async function createWebhooks(api: Client, count: number, url: string): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await api.call('organizationWebhooks_create', {
      body: {
        ...{ name: `hook-${index}`, filters: ['account_create'], url },
        secret: { value: 'a signing secret of the proof' },
      },
    });
}

async function createAccounts(api: Client, count: number, until: number): Promise<void> {
  await inParallel(4, count, (index) =>
    // A request whose response was lost may have created it: then the name is taken.
    persist(until, async () => {
      const { status } = await api.send('accounts_create', { body: { name: `account-${index}` } });
      return status === 200 || status === 409;
    }),
  );
}

async function createJobs(
  api: Client,
  sinkId: string,
  count: number,
  until: number,
): Promise<void> {
  await inParallel(2, count, (index) => {
    let attempt = 0;
    return persist(until, async () => {
      attempt += 1; // jobs are counted in the database: one that nobody knows of is one more
      const { status } = await api.send('operations_create', {
        headers: { 'idempotency-key': `job-${index}-${attempt}` },
        body: { operation: 'ticketing_query_tickets', input: { sink_integration_id: sinkId } },
      });
      return status === 200;
    });
  });
}

/** Repeats a request until it succeeds: while a process is killed it is refused or cut off. */
async function persist(until: number, work: () => Promise<boolean>): Promise<void> {
  let last: unknown;
  while (Date.now() < until) {
    const done = await work().catch((error: unknown) => {
      last = error;
      return false;
    });
    if (done) return;
    await sleep(200);
  }
  throw new Error('a request did not succeed in time', { cause: last });
}

async function inParallel(
  width: number,
  count: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) await work((next += 1));
  };
  await Promise.all(Array.from({ length: width }, one));
}

async function countWhenEnded(
  { databaseUrl }: OwnServers,
  server: RecordServer,
  plan: KillPlan,
  until: number,
): Promise<Survived> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    for (;;) {
      const { rows } = await database.query<{ deliveries: number; jobs: number }>(
        `select (select count(*)::int from deliveries where status <> 'delivered') as deliveries,
           (select count(*)::int from operations where status <> 'COMPLETE') as jobs`,
      );
      const { deliveries = 0, jobs = 0 } = rows[0] ?? {};
      if (deliveries === 0 && jobs === 0) break;
      if (Date.now() > until)
        throw new Error(`${deliveries} deliveries and ${jobs} jobs have not ended in time`);
      await sleep(250);
    }
    return {
      ...(await countDeliveries(database, server, plan)),
      ...(await countRecords(database, server, plan)),
    };
  } finally {
    await database.end();
  }
}

async function countDeliveries(database: pg.Client, server: RecordServer, plan: KillPlan) {
  const { rows } = await database.query<{ id: string }>('select id from deliveries');
  const ids = new Set(rows.map(({ id }) => id));
  const missing = plan.accounts * plan.webhooks - ids.size; // an account without its deliveries
  return {
    deliveries: ids.size,
    lostDeliveries: missing + [...ids].filter((id) => !server.deliveries.has(id)).length,
    foreignDeliveries: [...server.deliveries.keys()].filter((id) => !ids.has(id)).length,
    repeatedDeliveries: [...server.deliveries.values()].reduce((sum, times) => sum + times - 1, 0),
  };
}

async function countRecords(database: pg.Client, server: RecordServer, plan: KillPlan) {
  const { rows } = await database.query<{ id: string }>('select id from operation_executions');
  const batches = [...server.batches];
  const counts = { lost: 0, doubled: 0 };
  for (const { id } of rows) {
    const ids = batches.flatMap(([key, batch]) => (key.startsWith(`${id}-`) ? batch.ids : []));
    const distinct = new Set(ids).size;
    counts.lost += plan.records - distinct;
    counts.doubled += ids.length - distinct;
  }
  return {
    jobs: rows.length,
    records: rows.length * plan.records,
    lostRecords: counts.lost,
    doubledRecords: counts.doubled,
    repeatedBatches: batches.reduce((sum, [, { times }]) => sum + times - 1, 0),
    changedBatches: batches.filter(([, { isChanged }]) => isChanged).length,
  };
}
