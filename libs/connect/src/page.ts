import { badRequest, type Fault } from '#contract';
import {
  comparer,
  type Fields,
  type Filter,
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

interface Position {
  /** The ordered fields of the last row of the page before, and its id. */
  values: Record<string, unknown>;
}

const defaultLimit = 100;
const maxLimit = 1_000;

export function limitOf({ limit }: PageParameters): number {
  return Math.min(limit ?? defaultLimit, maxLimit);
}

/** Reads the orders and filters of a list, in our shape. @param defaultOrder applies if the caller gives none @throws ApiError 400 */
export function readConditions(
  parameters: PageParameters,
  fields: Fields,
  defaultOrder: string | undefined,
): { orders: Order[]; filters: Filter[] } {
  const requested = [parameters.order ?? []].flat();
  const asked = requested.length > 0 ? requested : [defaultOrder ?? []].flat();
  return {
    orders: asked.map((text) => understood('order', () => parseOrder(text, fields))),
    filters: (parameters.filter ?? []).map((text) =>
      understood('filter', () => parseFilter(text, fields)),
    ),
  };
}

/** Filters, orders and cuts rows whose `read` gives the fields of our shape. @throws ApiError 400 */
export function pageOf<Row>(
  all: readonly Row[],
  parameters: PageParameters,
  fields: Fields,
  options: {
    read: (row: Row, field: string) => unknown;
    cursors: Cursors;
    context: string;
    /** Default order. */
    order?: string | undefined;
  },
): Page<Row> {
  const { cursors } = options;
  // Times are compared as moments, because the same moment can be written in several ways.
  const read = (row: Row, field: string): unknown => {
    const value = options.read(row, field);
    return fields[field]?.type === 'datetime' && typeof value === 'string'
      ? Date.parse(value)
      : value;
  };
  const { orders, filters } = readConditions(parameters, fields, options.order);
  const byId: Order = { field: 'id', direction: orders.at(-1)?.direction ?? 'asc' };
  const sorting = [...orders, byId]; // no two rows are equal, so a page has one end
  const context = JSON.stringify([options.context, orders, filters]);
  const matching = all.filter(matcher(filters, fields, read));
  const rest = [...matching].sort(comparer(sorting, read));
  const start = parameters.cursor
    ? indexAfter(rest, readCursor(cursors, context, parameters.cursor) as Position, sorting, read)
    : 0;
  const limit = limitOf(parameters);
  // A request for the count alone keeps its position.
  if (limit === 0) return { rows: [], matching, cursor: parameters.cursor ?? '' };
  const rows = rest.slice(start, start + limit);
  const last = rows.at(-1);
  const more = last !== undefined && start + limit < rest.length;
  const values = Object.fromEntries(sorting.map(({ field }) => [field, last && read(last, field)]));
  return { rows, matching, cursor: more ? cursors.issue(context, { values }) : '' };
}

/** Finds the index after a position, also if the row at the position is gone. */
function indexAfter<Row>(
  rows: readonly Row[],
  { values }: Position,
  sorting: readonly Order[],
  read: (row: Row, field: string) => unknown,
): number {
  const compare = comparer<Row | Position>(sorting, (row, field) =>
    typeof row === 'object' && row !== null && 'values' in row && row.values === values
      ? values[field]
      : read(row as Row, field),
  );
  const at = rows.findIndex((row) => compare(row, { values }) > 0);
  return at < 0 ? rows.length : at;
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
