import { createIds, systemClock } from '#config';
import { cancelJob, retryJob } from '#jobs';
import { insertEntries } from '#management/audit';
import { StartError } from '#observe';
import { connectDatabase, Store, type Transaction, wholeOrganization } from '#store';
import type { AdminConfiguration } from './configuration.js';
import type { Options } from './options.js';
import { asOwner } from './organizations.js';

const maxListed = 1_000;

interface JobRow {
  id: string;
  organization: string;
  status: string;
  operation: string;
  page: number | null;
  records: string | null;
  failures: number | null;
  waiting_since: Date | null;
  error: string | null;
}

/** Lists the jobs that have not ended, of all organizations or one; cancels one, or tries one again. */
export async function manageJobs(
  _settings: AdminConfiguration,
  url: string,
  { organization, cancel, retry }: Options,
): Promise<string> {
  if (cancel !== undefined && retry !== undefined)
    throw new StartError('Say one: --cancel <id> or --retry <id>.');
  const tools = { ids: createIds(), now: () => new Date(systemClock.now()) };
  if (cancel !== undefined)
    return await change(url, cancel, 'cancelled', async (tx) => {
      await cancelJob(tx, cancel, tools);
      return 'is cancelled';
    });
  if (retry !== undefined)
    return await change(url, retry, 'retried', async (tx) => {
      const done = await retryJob(tx, retry, tools);
      return done === 'waits for its turn' ? done : `is ${done}`;
    });
  return await listJobs(url, organization);
}

async function listJobs(url: string, organization: string | undefined): Promise<string> {
  const rows = await asOwner(url, async (client) => {
    const found = await client.query<JobRow>(
      `select j.id, o.name as organization, j.status, j.operation, r.page, r.records, r.failures,
         case when r.admitted_at is null then coalesce(r.waiting_since, r.created_at) end as waiting_since,
         j.errors -> -1 ->> 'message' as error
       from operations j join organizations o on o.id = j.organization_id
         left join operation_runs r on r.operation_id = j.id
       where j.status in ('SCHEDULED', 'PROCESSING') and ($1::text is null or $1 in (o.id, o.name))
       order by j.created_at, j.id limit ${maxListed + 1}`,
      [organization ?? null],
    );
    return found.rows;
  });
  if (rows.length === 0) return 'No jobs wait or run.';
  const more = rows.length > maxListed ? [`Only the oldest ${maxListed} are listed.`] : [];
  return [...rows.slice(0, maxListed).map(lineOf), ...more].join('\n');
}

function lineOf(row: JobRow): string {
  const { id, organization, status, operation, page, records, failures, waiting_since } = row;
  const place = page === null ? 'between runs' : `page ${page}, ${records ?? 0} records`;
  const state =
    waiting_since !== null
      ? `waits for its turn since ${waiting_since.toISOString()}`
      : failures
        ? `failed ${failures} times: ${row.error ?? ''}`
        : '';
  return [id, organization, status, operation, place, state]
    .filter((part) => part !== '')
    .join('  ');
}

/** Changes a job in a transaction of its organization, with a record in the audit trail. @throws StartError if it does not exist */
async function change(
  url: string,
  id: string,
  code: 'cancelled' | 'retried',
  work: (tx: Transaction) => Promise<string>,
): Promise<string> {
  const organizationId = await asOwner(url, async (client) => {
    const { rows } = await client.query<{ organization_id: string }>(
      'select organization_id from operations where id = $1',
      [id],
    );
    return rows[0]?.organization_id;
  });
  if (organizationId === undefined)
    throw new StartError(`There is no job "${id}". The command jobs lists those that wait or run.`);
  const store = new Store(await connectDatabase({ url, poolSize: 1 }));
  try {
    return await store.write(wholeOrganization(organizationId), async (tx) => {
      const { accountId, integrationId } = await tx.operations.get(id);
      const done = await work(tx);
      await insertEntries(tx, [
        {
          request_id: '',
          remote_addr: '',
          user_agent: 'command line',
          method: 'POST',
          path: `/v1/operations/${id}`,
          audit_type: 'API',
          code: `operation_${code}`,
          status: 'succeeded',
          account_id: accountId,
          integration_id: integrationId,
        },
      ]);
      return `The job ${id} ${done}.`;
    });
  } finally {
    await store.close();
  }
}
