import { badRequest } from '#contract';
import { type Fields, type Filter, type Order, parseFilter, parseOrder, QueryError } from '#query';

/** The query parameters that all lists of the management API have. */
export interface ListParameters {
  limit?: number | null | undefined;
  start_after?: string | null | undefined;
  order?: readonly string[] | null | undefined;
  filter?: readonly string[] | null | undefined;
  total?: boolean | null | undefined;
}

/** A list as the store reads it. */
export interface ListQuery {
  filters: readonly Filter[];
  /** Ends with the name, so that no two rows are equal. */
  orders: readonly Order[];
  limit: number;
  /** The name of the last row of the page before. */
  startAfter?: string;
  total: boolean;
}

const defaultLimit = 100;
const maxLimit = 1_000;

/** Reads the parameters of a list. @throws ApiError 400 that points at the character. */
export function listQuery(parameters: ListParameters, fields: Fields): ListQuery {
  const { limit, start_after: startAfter, order, filter, total } = parameters;
  const orders = (order ?? []).map((text) => understood('order', () => parseOrder(text, fields)));
  if (!orders.some(({ field }) => field === 'name'))
    orders.push({ field: 'name', direction: orders.at(-1)?.direction ?? 'asc' });
  return {
    filters: (filter ?? []).map((text) => understood('filter', () => parseFilter(text, fields))),
    orders,
    limit: Math.min(limit ?? defaultLimit, maxLimit),
    ...(startAfter === undefined || startAfter === null ? {} : { startAfter }),
    total: total === true,
  };
}

/** Reads a filter or order of a caller. @throws ApiError 400 that points at the character */
export function understood<T>(parameter: 'filter' | 'order', read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw badRequest(
      {
        location: 'query',
        pointer: parameter,
        message: `"${error.text}" ${error.message} (character ${error.position + 1})`,
        remediation: error.remediation,
        value: error.text,
      },
      { cause: error },
    );
  }
}
