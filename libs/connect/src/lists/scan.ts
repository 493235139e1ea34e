import { ApiError } from '#contract';
import type { ProviderRecord } from '../provider-record.js';
import type { ListPages, ProviderPage } from '../provider.js';
import { identityOf } from '../records/row-identity.js';
import { Slices } from '../records/slices.js';

/** Maximum number of rows of a provider that are filtered, ordered or counted here. */
const maxRows = 10_000;

/** Maximum number of pages of a provider that one call reads, if the document has no lower one. */
const defaultMaxPages = 1_000;
/** Statuses of calls that may succeed later: too many requests, not available, too slow. */
const laterStatuses = [429, 503, 504];

/** Where a scan continues: a page of the provider, and how many of its rows were returned. */
export interface ScanPosition {
  at: unknown;
  skip: number;
  /** The limit that the page was requested with; the same limit returns the same page. */
  limit: number;
  /** Identifies the last row that was returned, for a page that has rows more or fewer before it when it is read again. */
  last?: string;
}

export interface Scanned<Row> {
  rows: Row[];
  next: ScanPosition | undefined;
  /** True if the provider has not finished. */
  waits: boolean;
}

/**
 * Reads pages of a provider until `limit` rows pass the filters, the list ends, the time is over, or the provider takes no more calls for
 * now. In the last two cases the page is short, and the caller continues with its cursor.
 * @param map returns the row, or undefined if a filter drops it
 */
export async function scan<Row>(
  pages: ListPages,
  map: (providerRecord: ProviderRecord) => Row | undefined,
  options: {
    limit: number;
    from: ScanPosition | undefined;
    /** Rows that a page of the provider is requested with. */
    pageSize: number;
    isOver: () => boolean;
  },
): Promise<Scanned<Row>> {
  const { limit, pageSize } = options;
  let { at, skip, limit: pageLimit } = options.from ?? { at: undefined, skip: 0, limit: pageSize };
  const { maxPages = defaultMaxPages } = pages;
  const rows: Row[] = [];
  const slices = new Slices();
  for (let read = 1; ; read += 1) {
    let page: ProviderPage;
    try {
      page = await pages.read(at, pageLimit);
    } catch (error) {
      // The rows that were read cost calls, too. The next request tells the error if it is still there.
      const isForNow = error instanceof ApiError && laterStatuses.includes(error.status);
      if (rows.length === 0 || !isForNow) throw error;
      return { rows, next: { at, skip, limit: pageLimit }, waits: false };
    }
    slices.begin();
    if (read === 1) skip = rowsReturned(page.rows, skip, options.from?.last);
    for (let index = skip; index < page.rows.length; index += 1) {
      if (slices.isOver) await slices.next();
      const row = map(page.rows[index] as ProviderRecord);
      if (row === undefined) continue;
      rows.push(row);
      if (rows.length < limit) continue;
      const more = index + 1 < page.rows.length;
      if (more)
        return {
          rows,
          next:
            page.after === undefined
              ? {
                  at: page.at ?? at,
                  skip: index + 1,
                  limit: pageLimit,
                  last: identityOf(page.rows[index]),
                }
              : { at: page.after(index), skip: 0, limit: pageLimit },
          waits: false,
        };
      if (page.next !== undefined)
        return { rows, next: { at: page.next, skip: 0, limit: pageLimit }, waits: false };
      break;
    }
    if (page.next === undefined) {
      await page.end?.();
      return { rows, next: undefined, waits: false };
    }
    at = page.next;
    skip = 0;
    pageLimit = pageSize;
    const waits = page.waits ?? false;
    if (waits || read === maxPages || options.isOver())
      return { rows, next: { at, skip, limit: pageLimit }, waits };
  }
}

/** Finds how many rows of a page were returned. Rows that were added or removed before the last one of them move it within the page. */
function rowsReturned(
  rows: readonly ProviderRecord[],
  skip: number,
  last: string | undefined,
): number {
  if (last === undefined || identityOf(rows[skip - 1]) === last) return skip;
  const index = rows.findLastIndex((row) => identityOf(row) === last);
  return index < 0 ? skip : index + 1;
}

/** Returns the size of the pages by which a whole list is read. */
export function wholeListPageSize({ size = maxRows }: ListPages): number {
  return size;
}

/**
 * Makes pages that call the provider once for each page, however often the page is read. They do not end the list at the provider, where
 * one of several readers may continue later.
 */
export function readPagesOnce(pages: ListPages): ListPages {
  const known = new Map<string, ReturnType<ListPages['read']>>();
  return {
    ...pages,
    read: (at, limit) => {
      const key = JSON.stringify([at, limit]);
      const page = known.get(key) ?? pages.read(at, limit).then(withoutEnd);
      known.set(key, page);
      return page;
    },
  };
}

function withoutEnd({ end: _end, ...page }: ProviderPage): ProviderPage {
  return page;
}

/** Reads all rows of a list. @throws ApiError 400 if there are more than the maximum */
export async function readAllRows(
  pages: ListPages,
  remediation: string,
): Promise<ProviderRecord[]> {
  const { maxPages = defaultMaxPages } = pages;
  const rows: ProviderRecord[] = [];
  let at: unknown;
  for (let read = 1; ; read += 1) {
    const page = await pages.read(at, wholeListPageSize(pages));
    rows.push(...page.rows);
    if (rows.length > maxRows)
      throw new ApiError(400, `the provider has more than ${maxRows} rows`, { remediation });
    if (page.waits)
      throw new ApiError(504, 'the provider has not finished the list yet', {
        remediation: 'Try again later, or without an order and without stats/count.',
      });
    if (page.next === undefined) {
      await page.end?.();
      return rows;
    }
    if (read === maxPages)
      throw new ApiError(400, `the provider has more than ${maxPages} pages of rows`, {
        remediation,
      });
    at = page.next;
  }
}
