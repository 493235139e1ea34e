import { badRequest, type Fault, type Operation } from '#contract';
import {
  comparer,
  type Field,
  type Fields,
  type Filter,
  instantOf,
  matcher,
  type Order,
  parseFilter,
  parseOrder,
} from '#query';
import { CursorRefused, type Cursors } from '#secrets';
import { understood } from '#store';

/** The query values that lists of connectors share. */
export interface PageParameters {
  limit?: number | null;
  cursor?: string | null;
  /** Some operations take one order, others several. */
  order?: string | readonly string[] | null;
  filter?: readonly string[] | null;
}

export interface Page<Row> {
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

const defaultLimit = 100;
/** Maximum number of rows of a page where the contract names none. A larger `limit` gets a shorter page, with a cursor. */
const maxLimit = 1_000;

/** Returns the number of rows of a page: `limit` of the request, within the maximum that the contract has for the operation. */
export function limitOf({ limit }: PageParameters, { query }: Pick<Operation, 'query'>): number {
  const { default: preset, maximum = maxLimit } = query['limit'] ?? {};
  const wanted = limit ?? (typeof preset === 'number' ? preset : defaultLimit);
  return Math.min(wanted, maximum);
}

/** Parses orders and filters in our shape. @throws ApiError 400 */
export function readConditions(
  orders: readonly string[],
  filters: readonly string[],
  fields: Fields,
): { orders: Order[]; filters: Filter[] } {
  return {
    orders: orders.map((text) => understood('order', () => parseOrder(text, fields))),
    filters: filters.map((text) => understood('filter', () => parseFilter(text, fields))),
  };
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

/** Reads the content of a cursor. @throws ApiError 400 if it is not a cursor of this list */
export function readCursor(
  cursors: Cursors,
  context: string,
  cursor: string,
  place: Pick<Fault, 'location' | 'pointer'> = { location: 'query', pointer: 'cursor' },
): unknown {
  try {
    return cursors.read(context, cursor);
  } catch (error) {
    if (!(error instanceof CursorRefused)) throw error;
    throw badRequest({ ...place, message: error.message, value: cursor }, { cause: error });
  }
}
