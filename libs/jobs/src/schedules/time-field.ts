import { badRequest, type OperationId, recordFields } from '#contract';
import type { Fields } from '#query';

/** A field that increments are bounded by: its name in filters, and where its value is in a record. */
export interface TimeField {
  field: string;
  path: string;
}

/** Times that change with a record come before those that say when it was made: an increment has what has changed, too. */
const preferred = [
  'updated_at',
  'modified_time',
  'last_modified_time',
  'last_seen_time',
  'time',
  'created_at',
  'created_time',
];

/**
 * Finds the field that increments of a list are bounded by: the one that is named, else the best that the list can be filtered by.
 * @param pointer place of `incremental_config` @throws ApiError 400 if there is none
 */
export function findTimeField(
  operation: string,
  fields: Fields | undefined,
  wanted: string | null | undefined,
  pointer: string,
): TimeField {
  const known: Fields = fields ?? recordFields(operation as OperationId)?.top ?? {};
  const times = Object.keys(known).filter((name) => known[name]?.type === 'datetime');
  if (wanted) return { field: wanted, path: pathOf(operation, known, wanted, times, pointer) };
  const [best] = times
    .filter((name) => rankOf(name) >= 0)
    .sort((a, b) => rankOf(a) - rankOf(b) || a.split('.').length - b.split('.').length);
  if (best !== undefined) return { field: best, path: known[best]?.path ?? best };
  throw badRequest({
    location: 'body',
    pointer: `${pointer}/mode`,
    message: `cannot be incremental: the records of ${operation} have no time of a change`,
    remediation:
      times.length === 0
        ? 'Use the mode full_snapshot, or leave incremental_config out.'
        : `Name one of ${times.join(', ')} as time_filter_field, or use the mode full_snapshot.`,
    value: 'incremental',
  });
}

function pathOf(
  operation: string,
  known: Fields,
  wanted: string,
  times: readonly string[],
  pointer: string,
): string {
  const field = known[wanted] ?? recordFields(operation as OperationId)?.find(wanted);
  if (field?.type === 'datetime') return known[wanted]?.path ?? wanted;
  throw badRequest({
    location: 'body',
    pointer: `${pointer}/time_filter_field`,
    message: `is not a time that ${operation} can be filtered by`,
    remediation:
      times.length === 0
        ? 'The list has no times: use the mode full_snapshot.'
        : `Use one of ${times.join(', ')}.`,
    value: wanted,
  });
}

function rankOf(name: string): number {
  return name.startsWith('custom_fields.') ? -1 : preferred.indexOf(name.replace(/^.*\./, ''));
}
