import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { RecordServer } from './record-server.js';

/** Work that the services said they had stored. */
export interface Accepted {
  /** Names of accounts. */
  accounts: string[];
  messages: string[];
  jobIds: string[];
}

/** Counts at the receiver when everything had ended. Those of {@link faults} must be none. */
export interface Survived {
  /** Different deliveries that the receiver got. */
  deliveries: number;
  /** Deliveries of accepted accounts and messages that never came. */
  lostDeliveries: number;
  /** Deliveries of what was not accepted, or that the database does not have. */
  foreignDeliveries: number;
  /** Deliveries that came under two ids. */
  doubledDeliveries: number;
  repeatedDeliveries: number;
  /** Deliveries that came again with another body. */
  changedDeliveries: number;
  jobs: number;
  /** Accepted jobs that the database does not have, or has without exactly one run. */
  lostJobs: number;
  records: number;
  lostRecords: number;
  /** Records that came under two batch ids. */
  doubledRecords: number;
  /** Batches of runs that nobody knows. */
  foreignBatches: number;
  repeatedBatches: number;
  /** Batches that came again with other content. */
  changedBatches: number;
}

const mustBeNone = [
  'lostDeliveries',
  'foreignDeliveries',
  'doubledDeliveries',
  'changedDeliveries',
  'lostJobs',
  'lostRecords',
  'doubledRecords',
  'foreignBatches',
  'changedBatches',
] as const;

/** Returns what was lost, doubled or changed; empty if nothing was. */
export function faultsOf(survived: Survived): Partial<Survived> {
  return Object.fromEntries(
    mustBeNone.filter((name) => survived[name] > 0).map((name) => [name, survived[name]]),
  );
}

/** Waits until every delivery and every job has ended. @throws Error when one has failed, or in the end */
export async function waitForEnd(databaseUrl: string, until: number): Promise<void> {
  for (;;) {
    const [left] = await query<{ deliveries: number; jobs: number; failed: number }>(
      databaseUrl,
      `select (select count(*)::int from deliveries where status <> 'delivered') as deliveries,
         (select count(*)::int from operations where status <> 'COMPLETE') as jobs,
         (select count(*)::int from operations where status in ('CANCELLED', 'DISABLED'))
           + (select count(*)::int from deliveries where status = 'failed') as failed`,
    );
    const { deliveries = 0, jobs = 0, failed = 0 } = left ?? {};
    if (deliveries === 0 && jobs === 0) return;
    if (failed > 0 || Date.now() > until)
      throw new Error(
        `${deliveries} deliveries and ${jobs} jobs have not ended, ${failed} of them have failed`,
      );
    await sleep(250);
  }
}

export async function countSurvived(
  databaseUrl: string,
  server: RecordServer,
  plan: { webhooks: number; records: number },
  accepted: Accepted,
): Promise<Survived> {
  const stored = await query<{ id: string }>(databaseUrl, 'select id from deliveries');
  const runs = await query<{ id: string; jobId: string }>(
    databaseUrl,
    'select id, operation_id as "jobId" from operation_executions',
  );
  return {
    ...countDeliveries(server, new Set(stored.map(({ id }) => id)), plan.webhooks, accepted),
    ...countRecords(server, runs, plan.records, accepted.jobIds),
  };
}

/** Counts what the receivers got by what it is about, which the database has no part in. */
function countDeliveries(
  { deliveries }: RecordServer,
  stored: ReadonlySet<string>,
  webhooks: number,
  { accounts, messages }: Accepted,
) {
  const expected = new Set([
    ...messages.map((message) => `/relay ${message}`),
    ...accounts.flatMap((account) =>
      Array.from({ length: webhooks }, (_, index) => `/hooks/${index} ${account}`),
    ),
  ]);
  const received = [...deliveries];
  const known = received.filter(([, { about }]) => expected.has(about));
  const distinct = new Set(known.map(([, { about }]) => about)).size;
  return {
    deliveries: received.length,
    lostDeliveries: expected.size - distinct,
    foreignDeliveries: received.filter(([id, { about }]) => !expected.has(about) || !stored.has(id))
      .length,
    doubledDeliveries: known.length - distinct,
    repeatedDeliveries: received.reduce((sum, [, { times }]) => sum + times - 1, 0),
    changedDeliveries: received.filter(([, { isChanged }]) => isChanged).length,
  };
}

function countRecords(
  server: RecordServer,
  runs: readonly { id: string; jobId: string }[],
  records: number,
  acceptedIds: readonly string[],
) {
  const batches = [...server.batches];
  const idsByRun = new Map(runs.map(({ id }) => [id, [] as number[]]));
  let foreignBatches = 0;
  for (const [key, { ids }] of batches) {
    const known = idsByRun.get(key.slice(0, key.lastIndexOf('-')));
    if (known === undefined) foreignBatches += 1;
    else known.push(...ids);
  }
  const counts = { lost: 0, doubled: 0 };
  for (const ids of idsByRun.values()) {
    const distinct = new Set(ids).size;
    counts.lost += records - distinct;
    counts.doubled += ids.length - distinct;
  }
  const lostJobs = acceptedIds.filter(
    (id) => runs.filter(({ jobId }) => jobId === id).length !== 1,
  ).length;
  return {
    jobs: runs.length,
    lostJobs,
    records: runs.length * records,
    lostRecords: counts.lost,
    doubledRecords: counts.doubled,
    foreignBatches,
    repeatedBatches: batches.reduce((sum, [, { times }]) => sum + times - 1, 0),
    changedBatches: batches.filter(([, { isChanged }]) => isChanged).length,
  };
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  try {
    return (await database.query<Row>(text)).rows;
  } finally {
    await database.end();
  }
}
