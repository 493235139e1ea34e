import { failure } from './errors.js';
import { fits } from './filter.js';

export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  filter?: Record<string, unknown> | null;
  orderBy?: 'createdAt' | 'updatedAt' | null;
}

interface Row {
  id: string;
  createdAt?: Date;
  updatedAt?: Date;
}

const maxPageSize = 250;

/** Returns a page by Relay's rules, the newest first; a cursor is the id of a row. */
export function connection<T extends Row>(
  rows: readonly T[],
  args: PageArguments,
  render: (row: T) => unknown,
) {
  for (const size of [args.first, args.last])
    if (size !== undefined && size !== null && (size < 1 || size > maxPageSize))
      throw failure(
        'INPUT_ERROR',
        `Argument Validation Error: at most ${maxPageSize} records per page`,
      );
  const key = args.orderBy ?? 'createdAt';
  const time = (row: T) => (row[key] ?? row.createdAt)?.getTime() ?? 0;
  const all = rows
    .filter((row) => fits(row, args.filter ?? {}))
    .sort((one, other) => time(other) - time(one) || other.id.localeCompare(one.id));
  let start = args.after ? indexOf(all, args.after) + 1 : 0;
  let end = args.before ? indexOf(all, args.before) : all.length;
  if (args.last) start = Math.max(start, end - args.last);
  else end = Math.min(end, start + (args.first ?? 50));
  const page = all.slice(start, end);
  return {
    nodes: page.map(render),
    pageInfo: {
      hasNextPage: end < all.length,
      hasPreviousPage: start > 0,
      startCursor: page[0]?.id ?? null,
      endCursor: page.at(-1)?.id ?? null,
    },
  };
}

function indexOf(rows: readonly Row[], cursor: string): number {
  const index = rows.findIndex(({ id }) => id === cursor);
  if (index < 0) throw failure('INPUT_ERROR', 'Argument Validation Error: the cursor is unknown');
  return index;
}
