import type { Value } from '@onefold/mapping';
import type { Row } from './entry.js';
import type { MadeRow } from './made-rows.js';

/** Length of ids that are looked for within texts. */
const minIdLength = 4;

/** Copies a record with another id, wherever the record has it. @param number its place in the order of making */
export function copyRow(one: Pick<MadeRow, 'id' | 'row'>, number: number): MadeRow {
  const id = newIdOf(one.id, number);
  return { id, number, row: renamed(one.row, one.id, id) as Row };
}

/** An id of the same length that no record of the world has. */
function newIdOf(id: string, number: number): string {
  const last = String(number);
  if (/^\d+$/.test(id)) return last;
  return id.length > last.length + 4 ? id.slice(0, -last.length) + last : id + last;
}

/** The value with another id wherever it has the one. */
function renamed(value: Value, from: string, to: string): Value {
  if (typeof value === 'string') return renamedIn(value, from, to);
  if (typeof value === 'number') return String(value) === from ? Number(to) : value;
  if (Array.isArray(value)) return value.map((one: Value) => renamed(one, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, renamed(one as Value, from, to)]),
  );
}

/** A short id is part of other texts by chance. */
function renamedIn(text: string, from: string, to: string): string {
  if (from.length >= minIdLength) return text.replaceAll(from, to);
  return text === from ? to : text;
}
