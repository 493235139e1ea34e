import { LRUCache } from 'lru-cache';
import { compareStrings } from './values.js';

/** Keys that were put in order before; documents are alike, and sorting takes longer than all the rest of writing them. */
interface Known {
  keys: readonly string[];
  /** The same array when the keys were in order. */
  order: readonly string[] | undefined;
}

const known = new LRUCache<string, Known>({ max: 500 });
const maxKeys = 100;
const indexLike = /^\d+$/;

/** Keys in the order of their bytes: the given array when they are; undefined for keys that objects keep in another. */
export function orderOf(keys: string[]): readonly string[] | undefined {
  const [first] = keys;
  if (first === undefined) return keys;
  const found = known.get(first);
  if (found !== undefined && isSame(found.keys, keys))
    return found.order === found.keys ? keys : found.order;
  const order = sorted(keys);
  if (keys.length <= maxKeys) known.set(first, { keys, order });
  return order;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

function sorted(keys: string[]): readonly string[] | undefined {
  let isSorted = true;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    if (key === '__proto__' || indexLike.test(key)) return undefined;
    if (index > 0 && compareStrings(keys[index - 1] as string, key) > 0) isSorted = false;
  }
  return isSorted ? keys : [...keys].sort(compareStrings);
}
