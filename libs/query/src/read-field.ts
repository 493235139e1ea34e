import type { Fields } from './fields.js';

type JsonRecord = Readonly<Record<string, unknown>>;

/** Fields that records of a kind do not have by this name: OCSF records have their id in metadata, tickets their time in created_at. */
const otherNames: Readonly<Record<string, string>> = { id: 'metadata.uid', time: 'created_at' };

/** Returns a function that reads the value of a field from a record in our shape. A field inside of a list has a list of values. */
export function fieldReader(
  fields: Fields | undefined,
): (record: JsonRecord, field: string) => unknown {
  return (record, field) => {
    const path = fields?.[field]?.path ?? field;
    const other = otherNames[path];
    return valueAt(record, path) ?? (other === undefined ? undefined : valueAt(record, other));
  };
}

/** Returns the fields at the top of a record that the value of a field may come from. */
export function fieldsBehind(fields: Fields, field: string): string[] {
  const path = fields[field]?.path ?? field;
  return [path, otherNames[path] ?? path].map((name) => name.replace(/\..*$/s, ''));
}

function valueAt(value: unknown, path: string): unknown {
  if (Array.isArray(value))
    return value.flatMap((one) => {
      const found = valueAt(one, path);
      return found === undefined ? [] : found;
    });
  if (typeof value !== 'object' || value === null) return undefined;
  // Names of custom fields may have dots themselves.
  if (Object.hasOwn(value, path)) return (value as JsonRecord)[path];
  const dot = path.indexOf('.');
  if (dot < 0) return undefined;
  const name = path.slice(0, dot);
  if (!Object.hasOwn(value, name)) return undefined;
  return valueAt((value as JsonRecord)[name], path.slice(dot + 1));
}
