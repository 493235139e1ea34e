import { ApiError } from '#contract';
import { fieldReader, matcher } from '#query';
import type { Cursors } from '#secrets';
import type { ListQuery } from './list-query.js';
import {
  cursorContext,
  limitOf,
  type ListPage,
  type MapRecord,
  type PageParameters,
  readCursor,
  type Row,
} from './page.js';
import { defaultMaxPages, readAllRows, wholeListPageSize, wholeListRemedy } from './whole-list.js';
import { type OperationRun, reservedMs } from '../operation-run.js';
import type { ProviderRecord } from '../provider-record.js';
import type { ListPages, ProviderPage } from '../provider.js';
import { identityOf } from '../records/row-identity.js';
import { mapInSlices, Slices } from '../records/slices.js';

/** Reading rows that the filters drop ends after this time, with a short page. */
const scanMs = 20_000;
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

/** Reads only as many pages of the provider as the caller's page needs. */
export async function readStream(
  run: OperationRun,
  pages: ListPages,
  cursors: Cursors,
  map: MapRecord,
): Promise<ListPage> {
  const { call, clock, deadline, query, meta, operation } = run;
  const parameters = call.query as PageParameters;
  const conditions = JSON.stringify([query.orders, query.filters]);
  const context = `${cursorContext(run.integration, operation)} ${conditions}`;
  const limit = limitOf(parameters.limit, operation);
  if (limit === 0) return { rows: [], cursor: parameters.cursor ?? '' };
  const from = parameters.cursor
    ? (readCursor(cursors, context, parameters.cursor) as ScanPosition)
    : undefined;
  const { wantsCounts } = meta;
  const isMapped = query.filters.length > 0 || wantsCounts;
  const passes = passesFilters(query);
  // Where more rows than those of the page are read, the provider's largest pages need the fewest calls.
  const pageSize = wantsCounts
    ? wholeListPageSize(pages)
    : query.filters.length > 0
      ? (pages.size ?? limit)
      : limit;
  const until = Math.min(clock.now() + scanMs, deadline - reservedMs);
  const { rows, next, waits } = await scan<Row>(
    pages,
    (providerRecord) => {
      if (!isMapped) return { providerRecord };
      return run.usage.work(() => {
        const record = map(providerRecord);
        return record !== undefined && passes(record) ? { providerRecord, record } : undefined;
      });
    },
    { limit, from, pageSize, isOver: () => clock.now() > until },
  );
  return { rows, cursor: next === undefined ? '' : cursors.issue(context, next), waits };
}

/**
 * Reads the page as without counts, so that the cursor goes on with and without them, and counts the rows of the whole list. Both see
 * the same rows: each page of the provider is read once, and each record is mapped once.
 */
export async function readStreamAndCount(
  run: OperationRun,
  pages: ListPages,
  cursors: Cursors,
  map: MapRecord,
): Promise<ListPage> {
  const read = readPagesOnce(pages);
  const records = new Map<ProviderRecord, ProviderRecord | undefined>();
  const mapOnce: MapRecord = (providerRecord) => {
    if (!records.has(providerRecord)) records.set(providerRecord, map(providerRecord));
    return records.get(providerRecord);
  };
  const page = await readStream(run, read, cursors, mapOnce);
  const whole = await readAllRows(read, wholeListRemedy(run.offered, run.query));
  const passes = passesFilters(run.query);
  await mapInSlices(whole, run.usage, (providerRecord) => {
    const record = mapOnce(providerRecord);
    if (record !== undefined && passes(record)) run.meta.count(record);
  });
  return page;
}

function passesFilters({ filters, fields }: ListQuery): (record: ProviderRecord) => boolean {
  return matcher<ProviderRecord>(filters, fields, fieldReader(fields));
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
