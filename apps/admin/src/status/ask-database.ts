import pg from 'pg';
import { countJobs } from '#jobs';
import { queueDepth } from '#queue';
import { explainDatabaseError } from '#store';
import type { FailingIntegration, IntegrationState, Status, Unasked } from './status.js';

const timeoutMs = 5_000;
const maxListed = 10;

/** States of an integration that do not need anybody to act. */
const wellStates = ['new', 'healthy', 'rate_limited'];

type OfDatabase = Pick<Status, 'database' | 'queue' | 'jobs' | 'integrations'>;

/** Asks the database for its queue and for all integrations. Nothing is changed. */
export async function askDatabase(
  url: string,
): Promise<{ found: OfDatabase; unasked: Unasked[]; notes: string[] }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    options: '-c default_transaction_read_only=on',
  });
  client.on('error', () => undefined); // the statement that is under way fails with it
  const found: OfDatabase = {};
  const unasked: Unasked[] = [];
  const notes: string[] = [];
  const ask = async (part: Unasked['part'], work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      unasked.push({ part, reason: reasonOf(error, url) });
    }
  };
  const begun = performance.now();
  await ask('database', async () => {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    const version = rows[0]?.server_version ?? 'unknown';
    found.database = { version, ms: Math.round(performance.now() - begun) };
  });
  if (found.database !== undefined) {
    await ask('queue', async () => void (found.queue = await askQueue(client)));
    await ask('jobs', async () => void (found.jobs = await askJobs(client)));
    await ask('integrations', async () => {
      const integrations = await askIntegrations(client);
      if (integrations !== undefined) found.integrations = integrations;
      else notes.push(`integrations are not shown: the role ${client.user} sees no organization`);
    });
  }
  await client.end().catch(() => undefined); // it is not connected
  return { found, unasked, notes };
}

async function askQueue(client: pg.Client): Promise<NonNullable<Status['queue']>> {
  const queue = { waiting: 0, delayed: 0, running: 0, dead: 0, oldestSeconds: 0 };
  for (const { waiting, delayed, running, failed, oldestSeconds } of await queueDepth(client)) {
    queue.waiting += waiting;
    queue.delayed += delayed;
    queue.running += running;
    queue.dead += failed;
    queue.oldestSeconds = Math.max(queue.oldestSeconds, Math.round(oldestSeconds));
  }
  return queue;
}

async function askJobs(client: pg.Client): Promise<NonNullable<Status['jobs']>> {
  const jobs = await countJobs(client);
  return { ...jobs, oldestSeconds: Math.round(jobs.oldestSeconds) };
}

/** @returns undefined if row-level security hides them */
async function askIntegrations(client: pg.Client): Promise<IntegrationState | undefined> {
  const { rows: roles } = await client.query<{ isLimited: boolean }>(
    `select row_security_active('integrations') as "isLimited"`,
  );
  if (roles[0]?.isLimited === true) return undefined;
  const { rows: counts } = await client.query<{ category: string; all: number; failing: number }>(
    `select i.category, count(*)::int as all,
       count(*) filter (where coalesce(s.status, 'new') <> all ($1))::int as failing
     from integrations i left join integration_status s on s.integration_id = i.id group by 1 order by 1`,
    [wellStates],
  );
  const { rows: last } = await client.query<FailingIntegration>(
    `select i.id, o.name as organization, a.name as account, i.provider_type as provider, s.status,
       to_char(s.last_event_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since,
       (select e.error from integration_events e where e.integration_id = i.id order by e.created_at desc limit 1) as error
     from integrations i join integration_status s on s.integration_id = i.id
       join organizations o on o.id = i.organization_id join accounts a on a.id = i.account_id
     where s.status <> all ($1) order by s.last_event_at desc nulls last, i.id limit ${maxListed}`,
    [wellStates],
  );
  const sum = (read: (row: (typeof counts)[number]) => number) =>
    counts.reduce((all, row) => all + read(row), 0);
  return {
    total: sum((row) => row.all),
    domains: Object.fromEntries(counts.map((row) => [row.category, row.all])),
    failing: sum((row) => row.failing),
    last,
  };
}

function reasonOf(error: unknown, url: string): string {
  const explained = explainDatabaseError(url, error);
  return explained instanceof Error ? explained.message : String(explained);
}
