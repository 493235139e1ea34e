import { ApiError } from '#contract';
import {
  comparer,
  type Field,
  fieldReader,
  type Fields,
  type Filter,
  instantOf,
  matcher,
  type Order,
} from '#query';
import type { Cursors } from '#secrets';
import type { ListQuery } from './list-query.js';
import {
  cursorContext,
  limitOf,
  type ListPage,
  type ListResult,
  type MappedRow,
  type MapRecord,
  type PageParameters,
  readCursor,
} from './page.js';
import type { OperationRun } from '../operation-run.js';
import type { ProviderRecord } from '../provider-record.js';
import type { ListPages, ProviderOperation } from '../provider.js';
import { mapInSlices } from '../records/slices.js';

/** Maximum number of rows of a provider that are filtered, ordered or counted here. */
const maxRows = 10_000;

/** Maximum number of pages of a provider that one call reads, if the document has no lower one. */
export const defaultMaxPages = 1_000;

interface Page<Row> {
  rows: Row[];
  /** Leads to the next page; empty on the last. */
  cursor: string;
  /** Every row that passes the filters, of all pages. */
  matching: Row[];
}

interface Ordered {
  /** The ordered fields and the id of a row, as they are compared. */
  values: Record<string, unknown>;
}

/** The last row of the page before. */
interface Position extends Ordered {
  /** How many rows with these values were returned: records may have no id. One when absent. */
  equal?: number;
}

/** Reads all rows of a list, and cuts the page out of them that the caller requested. */
export async function readWholeList(
  run: OperationRun,
  found: ListResult,
  cursors: Cursors,
  map: MapRecord,
): Promise<ListPage> {
  const { operation, meta, query, offered } = run;
  const parameters = run.call.query as PageParameters;
  const isPaged = operation.query['cursor'] !== undefined && !('records' in found);
  const whole = await rowsOf(
    found,
    isPaged ? wholeListRemedy(offered, query) : 'Ask the provider directly.',
  );
  if (isPaged) {
    const limit = limitOf(parameters.limit, operation);
    return await cutPage(run, whole, cursors, map, { limit, cursor: parameters.cursor });
  }
  const isPlain = query.orders.length === 0 && query.filters.length === 0;
  if (isPlain && !meta.wantsCounts)
    return { rows: whole.map((providerRecord) => ({ providerRecord })) };
  const limit = whole.length + 1; // such a list has no pages
  const { rows, matching } = await cutPage(run, whole, cursors, map, { limit });
  return { rows: isPlain ? matching : rows };
}

async function rowsOf(found: ListResult, remedy: string): Promise<ProviderRecord[]> {
  if ('records' in found) return found.records;
  return 'all' in found ? found.all : await readAllRows(found.pages, remedy);
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

/** Returns the size of the pages by which a whole list is read. */
export function wholeListPageSize({ size = maxRows }: ListPages): number {
  return size;
}

/** Suggests orders and filters that the provider applies, because the list is too long to be sorted here. */
export function wholeListRemedy(
  offered: ProviderOperation,
  { orders, fields: named }: ListQuery,
): string {
  const { pushes } = offered;
  const fields = { ...offered.fields, ...named };
  const orderable = Object.keys(fields).filter((field) =>
    orders.every(({ direction }) => pushes?.order({ field, direction })),
  );
  const filterable = Object.keys(fields).filter((field) =>
    (['eq', 'gt', 'gte'] as const).some((operator) =>
      pushes?.filter({ field, operator, values: [] }),
    ),
  );
  const parts = [
    ...(orderable.length > 0 ? [`order by ${orderable.join(', ')}`] : []),
    ...(filterable.length > 0 ? [`filter by ${filterable.join(', ')}`] : []),
  ];
  return parts.length === 0
    ? 'The provider can neither filter nor order this list by itself.'
    : `The provider can by itself ${parts.join(' and ')}.`;
}

/** Cuts the page out of all rows. */
async function cutPage(
  run: OperationRun,
  whole: readonly ProviderRecord[],
  cursors: Cursors,
  map: MapRecord,
  place: { limit: number; cursor?: string | null | undefined },
): Promise<Page<MappedRow>> {
  const { meta, query, usage } = run;
  const read = fieldReader(query.fields);
  const rows: MappedRow[] = [];
  await mapInSlices(whole, usage, (providerRecord) => {
    const record = map(providerRecord, !place.cursor);
    if (record !== undefined) rows.push({ providerRecord, record });
  });
  const page = usage.work(() =>
    pageOf(rows, place, query, {
      read: ({ record }, field) => read(record, field),
      cursors,
      context: cursorContext(run.integration, run.operation),
    }),
  );
  if (meta.wantsCounts) for (const { record } of page.matching) meta.count(record);
  return page;
}

/** Filters, orders and cuts rows whose `read` gives the fields of our shape. @throws ApiError 400 for a cursor of another list */
export function pageOf<Row>(
  all: readonly Row[],
  { limit, cursor }: { limit: number; cursor?: string | null | undefined },
  {
    orders,
    filters,
    fields,
  }: { orders: readonly Order[]; filters: readonly Filter[]; fields: Fields },
  options: { read: (row: Row, field: string) => unknown; cursors: Cursors; context: string },
): Page<Row> {
  const { cursors } = options;
  const read = (row: Row, field: string) => rankOf(options.read(row, field), fields[field]);
  const byId: Order = { field: 'id', direction: orders.at(-1)?.direction ?? 'asc' };
  const sorting = [...orders, byId]; // records with an id are never equal
  const context = JSON.stringify([options.context, orders, filters]);
  const matching =
    filters.length === 0 ? [...all] : all.filter(matcher(filters, fields, options.read));
  const compare = comparer(sorting, valueOf);
  // Read once per row, not once per comparison, of which there are a dozen per row.
  const valuesOf = (row: Row) =>
    Object.fromEntries(sorting.map(({ field }) => [field, read(row, field)]));
  const rest = matching.map((row) => ({ row, values: valuesOf(row) })).sort(compare);
  const start = cursor
    ? indexAfter(rest, readCursor(cursors, context, cursor) as Position, compare)
    : 0;
  // A request for the count alone keeps its position.
  if (limit === 0) return { rows: [], matching, cursor: cursor ?? '' };
  const shown = rest.slice(start, start + limit);
  const rows = shown.map(({ row }) => row);
  const last = shown.at(-1);
  if (last === undefined || start + limit >= rest.length) return { rows, matching, cursor: '' };
  const first = rest.findIndex((one) => compare(one, last) === 0);
  const position: Position = { values: last.values, equal: start + rows.length - first };
  return { rows, matching, cursor: cursors.issue(context, position) };
}

function valueOf({ values }: Ordered, field: string): unknown {
  return values[field];
}

/** Makes values comparable: times as moments, because one can be written in several ways, and enums by the rank of their values. */
function rankOf(value: unknown, field: Field | undefined): unknown {
  if (field?.type === 'datetime') return instantOf(value);
  if (typeof value !== 'string') return value;
  if (field?.type !== 'enum' || field.values === undefined) return value;
  const rank = field.values.indexOf(value);
  return rank < 0 ? field.values.length : rank;
}

/** Finds the index after a position, also if the row at the position is gone. */
function indexAfter(
  rows: readonly Ordered[],
  position: Position,
  compare: (one: Ordered, other: Ordered) => number,
): number {
  const at = rows.findIndex((row) => compare(row, position) >= 0);
  if (at < 0) return rows.length;
  const after = rows.findIndex((row) => compare(row, position) > 0);
  return Math.min(at + (position.equal ?? 1), after < 0 ? rows.length : after);
}
