import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import type { Reader } from '#store';
import { type Period, yearAndMonth } from './report-period.js';

/** Columns that identify a line, followed by its counters. */
const subjects = [
  'account_id',
  'account_name',
  'integration_id',
  'integration_name',
  'category',
  'provider_type',
];
const counters = [
  'requests',
  'failed',
  'cpu_time',
  'db_ops',
  'api_ops',
  'in_bytes',
  'out_bytes',
  'job_requests',
];
const columns = ['organization_id', 'month', ...subjects, ...counters];

type Line = Record<string, string | null>;

/** Reads one line for each integration that was used. */
export async function linesByIntegration(tx: Reader, period: Period): Promise<Line[]> {
  return await tx.query<Line>(
    `select ${[...subjects, ...counters].join(', ')} from usage_months
     where organization_id = $1 and month = $2 order by account_id, integration_id`,
    [tx.scope.organizationId, `${yearAndMonth(period)}-01`],
  );
}

/**
 * Reads one line for each provider: an organization that pays for a sub-organization sees its usage, not its
 * integrations.
 */
export async function linesByProvider(
  tx: Reader,
  organizationId: string,
  period: Period,
): Promise<Line[]> {
  return await tx.inOrganization(organizationId, (inside) =>
    inside.query<Line>(
      `select category, provider_type, ${counters.map((name) => `sum(${name}) as ${name}`).join(', ')}
       from usage_months where organization_id = $1 and month = $2 group by 1, 2 order by 1, 2`,
      [organizationId, `${yearAndMonth(period)}-01`],
    ),
  );
}

/** Lines written before other calls of the process get a turn. */
const atOnce = 2_000;

/** Writes the lines as CSV for spreadsheets: RFC 4180, and no cell is a formula. */
export async function csvOf(
  organizationId: string,
  period: Period,
  lines: readonly Line[],
): Promise<string> {
  const about = { organization_id: organizationId, month: yearAndMonth(period) };
  const options = { columns, escape_formulas: true, record_delimiter: 'windows' } as const;
  let text = stringify([], { ...options, header: true });
  for (let from = 0; from < lines.length; from += atOnce) {
    const some = lines.slice(from, from + atOnce).map((line) => ({ ...about, ...line }));
    text += stringify(some, options);
    await setImmediate();
  }
  return text;
}
