import { countParts } from './parts.js';
import { isObject, type Value } from './values.js';

/** Counts the parts of what a run made, long texts as several. @throws LimitError for values too large to write out */
export function measure(value: Value): void {
  if (typeof value === 'string') countParts(value.length >> 5);
  else if (Array.isArray(value)) {
    countParts(value.length + 1);
    for (const one of value as Value[]) if (isLarge(one)) measure(one);
  } else if (value instanceof Uint8Array) countParts(value.length >> 5);
  else if (isObject(value)) {
    const keys = Object.keys(value);
    countParts(keys.length + 1);
    for (const key of keys) {
      const one = value[key];
      if (isLarge(one)) measure(one);
    }
  }
}

function isLarge(value: Value): boolean {
  return typeof value === 'string' ? value.length > 31 : typeof value === 'object';
}
