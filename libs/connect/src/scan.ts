import { ApiError } from '#contract';
import type { ProviderRecord } from './provider-record.js';
import type { ListPages } from './provider.js';

/** Rows of a provider that are filtered, ordered or counted here at most. */
const maxRows = 10_000;

/** Where a scan goes on: a page of the provider, and how many of its rows were given out. */
export interface ScanPosition {
  at: unknown;
  skip: number;
  /** How many rows the page was asked for: the same number gives the same page again. */
  limit: number;
}

export interface Scanned<Row> {
  rows: Row[];
  next: ScanPosition | undefined;
}

/**
 * Reads pages of a provider until `limit` rows have passed, the list ends, or the time is over; then the page is short and the
 * caller goes on with its cursor.
 * @param map gives the row, undefined for one that does not pass
 */
export async function scan<Row>(
  pages: ListPages,
  map: (providerRecord: ProviderRecord) => Row | undefined,
  options: {
    limit: number;
    from: ScanPosition | undefined;
    filters: boolean;
    isOver: () => boolean;
  },
): Promise<Scanned<Row>> {
  const { limit, filters } = options;
  const wanted = filters ? (pages.size ?? limit) : limit;
  let { at, skip, limit: pageLimit } = options.from ?? { at: undefined, skip: 0, limit: wanted };
  const rows: Row[] = [];
  for (;;) {
    const page = await pages.read(at, pageLimit);
    for (let index = skip; index < page.rows.length; index += 1) {
      const row = map(page.rows[index] as ProviderRecord);
      if (row === undefined) continue;
      rows.push(row);
      if (rows.length < limit) continue;
      const more = index + 1 < page.rows.length;
      if (more) return { rows, next: { at, skip: index + 1, limit: pageLimit } };
      return {
        rows,
        next: page.next === undefined ? undefined : { at: page.next, skip: 0, limit: pageLimit },
      };
    }
    if (page.next === undefined) return { rows, next: undefined };
    at = page.next;
    skip = 0;
    pageLimit = wanted;
    if (page.waits || options.isOver()) return { rows, next: { at, skip, limit: pageLimit } };
  }
}

/** Every row of a list. @throws ApiError 400 when there are more than can be worked on */
export async function everyRow(pages: ListPages, remediation: string): Promise<ProviderRecord[]> {
  const rows: ProviderRecord[] = [];
  let at: unknown;
  for (;;) {
    const page = await pages.read(at, pages.size ?? maxRows);
    rows.push(...page.rows);
    if (rows.length > maxRows)
      throw new ApiError(400, `the provider has more than ${maxRows} rows`, { remediation });
    if (page.waits)
      throw new ApiError(504, 'the provider is not done with the list yet', {
        remediation: 'Try again later, or without an order and without stats/count.',
      });
    if (page.next === undefined) return rows;
    at = page.next;
  }
}
