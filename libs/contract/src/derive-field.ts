import type { Shape } from './record-shapes.js';

/** Other fields that say the same where a record has no better one. */
const standIns: Readonly<Record<string, readonly string[]>> = {
  name: ['summary', 'title'],
  summary: ['name', 'title'],
  updated_at: ['created_at'],
  time: [
    'finding_info.created_time',
    'start_time',
    'device.last_seen_time',
    'finding_info.first_seen_time',
    'metadata.original_time',
    'metadata.logged_time',
  ],
};

/** OCSF: "Unknown", for a value that is missing, and "Other", for one that the enumeration does not have. */
const unknownId = 0;
const otherId = 99;

/**
 * Derives a required field that a record does not have, or not as the contract allows: the only value that there is, a number as text, what
 * OCSF says about ids, or another field that says the same.
 * @param found the value that does not fit @returns undefined if nothing says what the field should be; the shape may refuse the result
 */
export function deriveField(
  name: string,
  shape: Shape,
  record: Readonly<Record<string, unknown>>,
  found: unknown,
): unknown {
  if (shape === 'string' && (typeof found === 'number' || typeof found === 'bigint'))
    return String(found);
  const values = typeof shape === 'string' ? [] : shape.values;
  if (values.length === 1) return values[0];
  if (name.endsWith('_id'))
    return [found === undefined || found === null ? unknownId : otherId, unknownId].find((one) =>
      values.includes(one),
    );
  if (name === 'type_uid') return Number(record['class_uid']) * 100 + Number(record['activity_id']);
  return (standIns[name] ?? [])
    .map((path) => valueAt(record, path))
    .find((value) => value !== undefined && value !== null && value !== '');
}

function valueAt(record: Readonly<Record<string, unknown>>, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      record,
    );
}
