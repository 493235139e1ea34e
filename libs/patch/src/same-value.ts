import { isPlainObject } from './place.js';

/** True for equal JSON values (RFC 6902, 4.6). The order of fields and inherited properties are ignored. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameValue(item, other[index]))
    );
  if (!isPlainObject(one) || !isPlainObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isSameValue((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}
