import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { type Reader, usageQueries } from '#store';
import { type Period, yearAndMonth } from './report-period.js';

const columns = ['organization_id', 'month', ...usageQueries.monthColumns];

type Line = Record<string, string | null>;

/** Reads one line for each integration that was used. */
export async function linesByIntegration(tx: Reader, period: Period): Promise<Line[]> {
  return await usageQueries.listMonthsByIntegration(tx, `${yearAndMonth(period)}-01`);
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
    usageQueries.listMonthsByProvider(inside, `${yearAndMonth(period)}-01`),
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
