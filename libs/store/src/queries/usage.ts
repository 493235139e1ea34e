import { reachCondition } from '../limits.js';
import type { StoredDrift } from '../drift.js';
import type { Reader, Transaction } from '../transaction.js';

const monthSubjects = [
  'account_id',
  'account_name',
  'integration_id',
  'integration_name',
  'category',
  'provider_type',
];
const monthCounters = [
  'requests',
  'failed',
  'cpu_time',
  'db_ops',
  'api_ops',
  'in_bytes',
  'out_bytes',
  'job_requests',
];
/** The columns of a month of an integration: those that identify it, followed by its counters. */
export const monthColumns: readonly string[] = [...monthSubjects, ...monthCounters];

type MonthRow = Record<string, string | null>;

/** Lists the months of integrations. @param month its first day, as `YYYY-MM-DD` */
export async function listMonthsByIntegration(tx: Reader, month: string): Promise<MonthRow[]> {
  return await tx.query<MonthRow>(
    `select ${monthColumns.join(', ')} from usage_months
     where organization_id = $1 and month = $2 order by account_id, integration_id`,
    [tx.scope.organizationId, month],
  );
}

/** Lists the sums of a month by provider. @param month its first day, as `YYYY-MM-DD` */
export async function listMonthsByProvider(tx: Reader, month: string): Promise<MonthRow[]> {
  return await tx.query<MonthRow>(
    `select category, provider_type, ${monthCounters.map((name) => `sum(${name}) as ${name}`).join(', ')}
       from usage_months where organization_id = $1 and month = $2 group by 1, 2 order by 1, 2`,
    [tx.scope.organizationId, month],
  );
}

const counters = ['requests', 'job_requests', 'failed', 'cpu_time', 'in_bytes', 'out_bytes'];
const names = counters.join(', ');
const sums = counters.map((name) => `sum(u.${name}) as ${name}`).join(', ');
/** All that is kept: minutes of two days, before them the hours of their sums. */
const sourceOf = (columns: string) =>
  `(select organization_id, account_id, integration_id, minute as at, ${columns} from usage_minutes
  union all select organization_id, account_id, integration_id, hour, ${columns} from usage_hours)`;
/** A deleted integration has no domain, so callers limited by domain cannot see its usage. */
const category =
  "coalesce((select i.category from integrations i where i.id = u.integration_id), '')";

/** A range of times in intervals. */
export interface UsageWindow {
  start: Date;
  end: Date;
  interval: string;
}

/** Sums the usage of all accounts in reach of the scope, by interval. */
export async function sumByInterval<Part extends object>(
  tx: Reader,
  { start, end, interval }: UsageWindow,
): Promise<Part[]> {
  const reach = reachCondition(tx.scope, { account: 'u.account_id', category });
  return await tx.manager
    .createQueryBuilder()
    .select("date_trunc(:interval, u.at, 'UTC')", 'at')
    .addSelect(sums)
    .from(sourceOf(names), 'u')
    .where('u.organization_id = :organizationId', tx.scope)
    .andWhere('u.at >= :start and u.at < :end', { start, end })
    .andWhere(reach.condition, reach.values)
    .groupBy('1')
    .setParameter('interval', interval)
    .getRawMany<Part>();
}

/** Sums the usage of an integration, by interval, with how many of its calls took how long. */
export async function sumOfIntegration<Part>(
  tx: Reader,
  integrationId: string,
  { start, end, interval }: UsageWindow,
): Promise<Part[]> {
  return await tx.query<Part>(
    `select date_trunc($5, u.at, 'UTC') as at, ${sums},
           onefold_sum_counts(u.latencies) as latencies from ${sourceOf(`${names}, latencies`)} u
         where u.organization_id = $1 and u.integration_id = $2 and u.at >= $3 and u.at < $4 group by 1`,
    [tx.scope.organizationId, integrationId, start, end, interval],
  );
}

/** Resets counters, state and drift of an integration. */
export async function resetStatus(
  tx: Transaction,
  integrationId: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `update integration_status set status = 'new', requests = 0, job_requests = 0, failed = 0, cpu_time = 0,
           db_ops = 0, api_ops = 0, in_bytes = 0, out_bytes = 0, drift = '[]', updated_at = $3
         where organization_id = $1 and integration_id = $2`,
    [tx.scope.organizationId, integrationId, now],
  );
}

/** Lists what showed that the provider of an integration changes its API. */
export async function listDrift(
  tx: Reader,
  integrationId: string,
): Promise<readonly StoredDrift[]> {
  const [row] = await tx.query<{ drift: readonly StoredDrift[] }>(
    'select drift from integration_status where organization_id = $1 and integration_id = $2',
    [tx.scope.organizationId, integrationId],
  );
  return row?.drift ?? [];
}
