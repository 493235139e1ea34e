import { createHash } from 'node:crypto';
import type { Value } from '@onefold/mapping';
import { ExpressionFailure } from '../document/expressions.js';
import type { OddRecords } from '../document/fake-document.js';
import { copyRow } from '../state/copy-row.js';
import { firstMadeNumber, type Row } from '../state/entry.js';
import type { MadeRow } from '../state/made-rows.js';
import { inZone, moveBack } from './local-times.js';
import { changeAt } from './places.js';
import { makeBare, makeSparse, type Sparse } from './sparse-rows.js';

/** Numbers of added records are above those of the company, so that ids which follow from them are new. */
const firstAddedNumber = 900_000_000;
/** Time between copies of a record: a vendor has not ten thousand records of one second, and few are newer than five minutes. */
const copyAgeMs = 600_000;

/** Whether a record is none of the company's. @param number its place in the order of making */
export function isAdded(number: number): boolean {
  return number >= firstAddedNumber && number < firstMadeNumber;
}

/** A collection whose records become odd. */
export interface OddCollection {
  name: string;
  odd: OddRecords;
  /** False where a field without a value is null, never absent. */
  leavesOut: boolean;
  /** @throws ExpressionFailure where the record has no id */
  idOf: (row: Row) => string;
}

/**
 * Makes records of the dataset ODD of those of the company: customers' own names, values that are missing, and records that a list has
 * beside what people made.
 * @throws ExpressionFailure if a record that the document adds has the id of another one
 */
export function makeOddRows(rows: readonly MadeRow[], collection: OddCollection): MadeRow[] {
  const { odd, idOf, leavesOut } = collection;
  const sparse: Sparse = { always: odd.always, leavesOut, idOf };
  const named = rows.map((one) =>
    withOwnNames({ ...one, row: inZone(one.row) as Row }, collection),
  );
  const [first] = named;
  if (first === undefined) return [];
  const place = `collections.${collection.name}.odd`;
  const copyBack = (one: MadeRow, number: number, age: number): MadeRow => {
    const moved = moveBack(one.row, age) as Row;
    // An id that is the time, such as that of a message, is another one by then.
    if (idOf(moved) !== one.id) return { id: idOf(moved), number, row: moved };
    const copied = copyRow({ id: one.id, row: moved }, number);
    if (idOf(copied.row) === copied.id) return copied;
    // An id of several parts is another one by the last of them.
    const part = one.id.split(':').at(-1) ?? '';
    const other = copyRow({ id: part, row: moved }, number);
    if (idOf(other.row) === one.id)
      throw new ExpressionFailure(`${place}.rows`, 'a copy of a record does not have its id');
    return { ...other, id: idOf(other.row) };
  };
  const known = new Set(named.map(({ id }) => id));
  const added: MadeRow[] = [];
  const add = (copied: MadeRow): boolean => {
    const id = idOf(copied.row);
    if (known.has(id)) return false;
    known.add(id);
    added.push({ ...copied, id });
    return true;
  };
  const nextNumber = () => firstAddedNumber + added.length;
  for (const [index, fields] of odd.beside.entries()) {
    const copied = copyRow(first, nextNumber());
    if (!add({ ...copied, row: mergeRow(copied.row, fields) as Row }))
      throw new ExpressionFailure(
        `${place}.beside.${index}`,
        'another record has its id: write the fields of the id',
      );
  }
  const bare = copyRow(first, nextNumber());
  // An id of several fields may not follow from a copy, and then each record is one of people.
  if (odd.hasBare && idOf(bare.row) === bare.id)
    add({ ...bare, row: makeBare(bare.row, bare.id, sparse) });
  const made = [...makeSparse(named, sparse), ...added];
  for (let index = 0; made.length < odd.rows; index += 1) {
    const age = (Math.floor(index / rows.length) + 1) * copyAgeMs;
    const original = rows[index % rows.length] ?? first;
    const copied = copyBack(original, firstAddedNumber + made.length, age);
    if (!known.has(copied.id)) made.push(copied);
    known.add(copied.id);
  }
  return made;
}

function withOwnNames(one: MadeRow, { odd, idOf }: OddCollection): MadeRow {
  if (odd.ownNames.length === 0) return one;
  const row = structuredClone(one.row);
  for (const place of odd.ownNames)
    changeAt(row, place.split('.'), (value) =>
      typeof value === 'string' ? ownName(value) : value,
    );
  return { ...one, row, id: idOf(row) };
}

/** A name that says nothing to who does not know the customer. */
function ownName(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return `Größe ${hash} – 変更`;
}

/** The record with other fields: objects are merged, everything else replaced. */
function mergeRow(row: Value, fields: Value): Value {
  const areObjects = [row, fields].every(
    (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
  );
  if (!areObjects) return fields;
  const merged = { ...(row as Row) } as Record<string, Value>;
  for (const [name, value] of Object.entries(fields as Row))
    merged[name] = mergeRow(merged[name] ?? null, value);
  return merged;
}
