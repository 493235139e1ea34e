import type { ProviderRecord } from '../provider-record.js';

/** Fields with values of the provider and of customers, which stay as they are. */
const kept: ReadonlySet<string> = new Set([
  'unmapped',
  'raw_data',
  'raw_error',
  'custom_fields',
  'enrichments',
]);

/**
 * Returns an OCSF record without attributes that have no value, at any depth: OCSF has neither null nor empty fillers, and a mapping
 * makes them of each field that the provider leaves out. Records of other shapes are not changed.
 */
export function dropEmptyAttributes(record: ProviderRecord): ProviderRecord {
  if (typeof record['class_uid'] !== 'number') return record;
  let changed: ProviderRecord | undefined;
  for (const [name, value] of Object.entries(record)) {
    if (!kept.has(name) && !hasEmpty(value)) continue;
    const filled = kept.has(name) ? filledOrUndefined(value) : withoutEmpty(value);
    if (filled === value) continue;
    changed ??= { ...record };
    if (filled === undefined) delete changed[name];
    else changed[name] = filled;
  }
  return changed ?? record;
}

/** Whether a value may have something empty in it. Most have not, and this makes nothing. */
function hasEmpty(value: unknown): boolean {
  if (typeof value !== 'object') return value === '' || value === undefined;
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0 || value.some(hasEmpty);
  let isEmpty = isPlain(value);
  for (const name in value) {
    isEmpty = false;
    if (hasEmpty((value as ProviderRecord)[name])) return true;
  }
  return isEmpty;
}

/** Returns a value that stays as it is, unless it has nothing. */
function filledOrUndefined(value: unknown): unknown {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty ? undefined : value;
}

/** Returns the value itself where nothing in it is empty; undefined if nothing is left. */
function withoutEmpty(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty);
    const filled = items.filter((one) => one !== undefined);
    if (filled.length === 0) return undefined;
    return items.every((one, index) => one === value[index]) ? value : filled;
  }
  if (typeof value !== 'object' || !isPlain(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, withoutEmpty(one)] as const);
  const filled = entries.filter(([, one]) => one !== undefined);
  if (filled.length === 0) return undefined;
  const isSame = entries.every(([name, one]) => one === (value as ProviderRecord)[name]);
  return isSame ? value : Object.fromEntries(filled);
}

/** Times and bytes of the mapping language are objects, too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
