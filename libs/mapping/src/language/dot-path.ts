import { payParts, payText } from './meter.js';
import { getKey, type Value } from './values.js';

/** The segments of a dot path: `~1` is a dot, `~0` a tilde. */
export function dotPath(text: string): string[] {
  if (text === '') return [];
  payText(text.length << 4);
  const segments = text.includes('.') ? text.split('.') : [text];
  if (!text.includes('~')) return segments;
  return segments.map((segment) => segment.replaceAll('~1', '.').replaceAll('~0', '~'));
}

/** The other way: a key as a segment. */
export function dotSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('.', '~1');
}

/** Reads the value at a path; undefined if it is missing. `*` stands for every element of an array. */
export function readDotPath(value: Value, path: readonly string[]): Value {
  let at = value;
  for (const [index, segment] of path.entries()) {
    if (segment === '*' && Array.isArray(at)) {
      const rest = path.slice(index + 1);
      payParts(1 + 3 * at.length);
      return (at as Value[])
        .map((one) => readDotPath(one, rest))
        .filter((one) => one !== undefined);
    }
    const isThere = Array.isArray(at)
      ? /^\d+$/.test(segment) && Number(segment) < at.length
      : typeof at === 'object' && at !== null && Object.hasOwn(at, segment);
    if (!isThere) return undefined;
    at = getKey(at, segment);
  }
  return at;
}
