import type { Row } from '../state/entry.js';
import type { MadeRow } from '../state/made-rows.js';
import { changeAt, isNamed, type Place, placesOf, valuesAt } from './places.js';

/** How records of a collection may be incomplete. */
export interface Sparse {
  /** Places that every record has. */
  always: readonly string[];
  /** False where the vendor writes every field: one without a value is null. */
  leavesOut: boolean;
  /** @throws where the record has no id */
  idOf: (row: Row) => string;
}

/** Takes values out of records in turn: each place that is not always there is missing in one record, and null in another. */
export function makeSparse(rows: readonly MadeRow[], sparse: Sparse): MadeRow[] {
  const changed = rows.map(({ row }) => ({ row, isOwn: false }));
  const take = (at: number, place: Place, empty: null | undefined): void => {
    const one = changed[at];
    const id = rows[at]?.id;
    if (one === undefined || id === undefined) return;
    if (!one.isOwn) Object.assign(one, { row: structuredClone(one.row), isOwn: true });
    const { row } = one;
    if (!keepsId(row, place, id, sparse)) return;
    changeAt(row, place, () => empty);
  };
  for (const [turn, place] of optionalPlaces(rows, sparse).entries()) {
    const having = rows.flatMap(({ row }, at) => (valuesAt(row, place).length > 0 ? [at] : []));
    const half = Math.ceil(having.length / 2);
    const [first, second] = [turn, turn + half].map((at) => having[at % having.length] as number);
    if (first === undefined || second === undefined) continue;
    const isAbsent = sparse.leavesOut && (having.length > 1 || turn % 2 === 0);
    take(first, place, isAbsent ? undefined : null);
    if (having.length > 1 && sparse.leavesOut) take(second, place, null);
  }
  return rows.map((one, at) => ({ ...one, row: changed[at]?.row ?? one.row }));
}

/** A record with nothing but what each has. */
export function makeBare(row: Row, id: string, sparse: Sparse): Row {
  const bare = structuredClone(row);
  for (const place of optionalPlaces([{ id, number: 0, row }], sparse))
    if (keepsId(bare, place, id, sparse))
      changeAt(bare, place, () => (sparse.leavesOut ? undefined : null));
  return bare;
}

function optionalPlaces(rows: readonly MadeRow[], { always }: Sparse): Place[] {
  return placesOf(rows.map(({ row }) => row)).filter((place) => !isNamed(place, always));
}

/** Whether a record has the same id without the values of a place. */
function keepsId(row: Row, place: Place, id: string, { idOf }: Sparse): boolean {
  const [top = ''] = place;
  const tried = { ...row, [top]: structuredClone(row[top]) };
  changeAt(tried, place, () => undefined);
  try {
    return idOf(tried) === id;
  } catch {
    return false;
  }
}
