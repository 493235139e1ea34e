import { isDeepStrictEqual } from 'node:util';

/** Whether a value has the fields of another one, at any depth, among others. @param lists `same`: with as many items, in this order; `among`: has each */
export function hasFields(value: unknown, wanted: unknown, lists: 'same' | 'among'): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value)) return false;
    if (lists === 'among')
      return wanted.every((one) => value.some((item) => hasFields(item, one, lists)));
    return (
      value.length === wanted.length &&
      wanted.every((one, index) => hasFields(value[index], one, lists))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return isDeepStrictEqual(value, wanted);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = value as Record<string, unknown>;
  return Object.entries(wanted).every(([name, one]) => hasFields(fields[name], one, lists));
}
