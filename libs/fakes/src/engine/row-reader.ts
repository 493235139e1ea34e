import type { Value } from '@onefold/mapping';
import type { Read, Row } from '../languages/language.js';

/**
 * Reads fields by paths such as `host.name`; a path through a list gives a list of all values. Fields that begin with an underscore, such
 * as `_id`, are those of the record itself, not of what is inside.
 */
export function rowReader(
  inside: string | undefined,
  fields: ReadonlyMap<string, string> | undefined,
): Read {
  const readers = new Map<string, (row: Row) => Value>();
  return (field) => {
    let reader = readers.get(field);
    if (reader === undefined) {
      const path = fields?.get(field) ?? field;
      const whole = inside === undefined || path.startsWith('_') ? path : `${inside}.${path}`;
      reader = pathReader(whole);
      readers.set(field, reader);
    }
    return reader;
  };
}

function pathReader(path: string): (row: Row) => Value {
  const keys = path.split('.');
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) return (row) => row[only] ?? null;
  return (row) => readPath(row, keys, 0);
}

function readPath(value: Value, keys: readonly string[], at: number): Value {
  if (at === keys.length) return value ?? null;
  if (Array.isArray(value)) {
    const all = value.map((one) => readPath(one, keys, at)).filter((one) => one !== null);
    return all.length === 0 ? null : all.flat();
  }
  if (typeof value !== 'object' || value === null) return null;
  const row = value as Row;
  // A key of the record may contain dots itself.
  const rest = keys.slice(at).join('.');
  if (Object.hasOwn(row, rest)) return row[rest] ?? null;
  const key = keys[at] ?? '';
  return Object.hasOwn(row, key) ? readPath(row[key], keys, at + 1) : null;
}
