import { printExact } from './exact-json.js';

/** A field of a record that a mapping has set, changed or left out; absent values as undefined. */
export interface FieldChange {
  /** `custom_fields.site` */
  field: string;
  before: string | undefined;
  after: string | undefined;
}

/** Compares two records field by field, down to values that are not objects. */
export function changesBetween(before: unknown, after: unknown) {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const changes = names
    .map((field): FieldChange => ({ field, before: old.get(field), after: now.get(field) }))
    .filter((one) => one.before !== one.after);
  return { changes, same: names.length - changes.length };
}

/** Values of a record that are not objects, as texts by the names of their fields: `custom_fields.site`. */
export function leavesOf(value: unknown, prefix = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[prefix, printExact(sorted(value), 0)]]);
  const entries = Object.entries(value);
  if (entries.length === 0 && prefix !== '') return new Map([[prefix, '{}']]);
  return new Map(
    entries.flatMap(([name, one]) => [
      ...leavesOf(one, prefix === '' ? name : `${prefix}.${name}`),
    ]),
  );
}

/** Names the fields that a mapping has set, changed and left out, without those within fields. */
export function summaryOf(before: unknown, after: unknown): string {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const list = (word: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${word} ${names.join(', ')}`];
  const parts = [
    ...list(
      'sets',
      [...now.keys()].filter((one) => !old.has(one)),
    ),
    ...list(
      'changes',
      [...now.keys()].filter((one) => old.has(one) && old.get(one) !== now.get(one)),
    ),
    ...list(
      'leaves out',
      [...old.keys()].filter((one) => !now.has(one)),
    ),
  ];
  return parts.length === 0 ? 'changes nothing' : parts.join(' · ');
}

function fieldsOf(value: unknown): Map<string, string> {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  return new Map(entries.map(([name, one]) => [name, JSON.stringify(sorted(one))]));
}

/** The value with the fields of objects by name: the service orders them otherwise, which does not count as a change. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}
