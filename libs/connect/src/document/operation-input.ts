import type { Value } from '@onefold/mapping';
import type { Filter } from '#query';
import type { ProviderRecord } from '../provider-record.js';

/** Returns a filter as expressions see it. */
export function filterValue({ field, operator, values }: Filter, name: string): Value {
  return { field, name, operator, values: [...values], value: values[0] ?? null };
}

/** Finds the changed fields of a record, in the provider's shape; a removed field is null. */
export function changesBetween(before: ProviderRecord, after: ProviderRecord): Value {
  const changed = Object.entries(after).filter(
    ([key, value]) =>
      !Object.hasOwn(before, key) ||
      JSON.stringify(value, exact) !== JSON.stringify(before[key], exact),
  );
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return Object.fromEntries<Value>([...changed, ...removed.map((key) => [key, null] as const)]);
}

function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
