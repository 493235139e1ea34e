import type { Value } from '@onefold/mapping';
import { ExpressionFailure } from '../document/expressions.js';
import type { Read } from '../languages/language.js';
import type { MadeRow } from '../state/made-rows.js';

/** One field that a list is ordered by. */
export interface OrderBy {
  field: string;
  direction: 'asc' | 'desc';
}

/** The order of making, as a field of orders. */
const numberField = '_seq';

/** Reads `{field, direction}` or a list of them. @throws ExpressionFailure */
export function readOrder(value: Value, place: string): OrderBy[] {
  if (value === null) return [];
  const all = Array.isArray(value) ? value : [value];
  return all.map((one) => {
    const { field, direction = 'asc' } = (one ?? {}) as { field?: unknown; direction?: unknown };
    const isDirection = direction === 'asc' || direction === 'desc';
    if (typeof field !== 'string' || !isDirection)
      throw new ExpressionFailure(place, 'an order is {"field": …, "direction": "asc" or "desc"}');
    return { field, direction };
  });
}

/** Compares records by an order. */
export class RowOrder {
  private readonly readers: ((row: MadeRow) => Value)[];

  constructor(
    readonly by: readonly OrderBy[],
    read: Read,
  ) {
    this.readers = by.map(({ field }) => {
      if (field === numberField) return ({ number }) => number;
      const reader = read(field);
      return ({ row }) => reader(row);
    });
  }

  /** The values that the record is ordered by. */
  values(row: MadeRow): Value[] {
    return this.readers.map((reader) => reader(row) ?? null);
  }

  /** A sorted copy; records with equal values stay in the order of making. */
  sort(rows: readonly MadeRow[]): readonly MadeRow[] {
    if (this.by.length === 0) return rows;
    return rows
      .map((row) => ({ row, values: this.values(row) }))
      .sort((a, b) => this.compare(a.values, b.values) || a.row.number - b.row.number)
      .map(({ row }) => row);
  }

  /** Where a sorted list goes on behind these values and this number. @param number Infinity behind all records of these values */
  placeAfter(rows: readonly MadeRow[], values: readonly Value[], number: number): number {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = rows[middle] as MadeRow;
      const compared = this.compare(this.values(row), values) || row.number - number;
      if (compared > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private compare(a: readonly Value[], b: readonly Value[]): number {
    for (const [at, { direction }] of this.by.entries()) {
      const compared = compareValues(a[at], b[at]);
      if (compared !== 0) return direction === 'asc' ? compared : -compared;
    }
    return 0;
  }
}

const ranks: readonly string[] = ['boolean', 'number', 'bigint', 'string', 'object'];

/** Compares two values; nothing is before everything, other types in the order of their kinds. */
export function compareValues(a: Value, b: Value): number {
  if (a === b) return 0;
  const [noA, noB] = [a === null || a === undefined, b === null || b === undefined];
  if (noA || noB) return noA === noB ? 0 : noA ? -1 : 1;
  const [typeA, typeB] = [ranks.indexOf(typeof a), ranks.indexOf(typeof b)];
  if (typeof a !== typeof b && !(isNumber(a) && isNumber(b))) return typeA - typeB;
  if (typeof a === 'object') return compareValues(JSON.stringify(a), JSON.stringify(b));
  return (a as string | number) < (b as string | number)
    ? -1
    : (a as number) > (b as number)
      ? 1
      : 0;
}

function isNumber(value: Value): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
