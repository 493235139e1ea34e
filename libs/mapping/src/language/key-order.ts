import { compareStrings } from './values.js';

/** Keys that were put in order before; documents are alike, and sorting takes longer than all the rest of writing them. */
interface Known {
  keys: readonly string[];
  /** The same array when the keys were in order. */
  order: readonly string[] | undefined;
}

/**
 * One slot for each hash, so that remembering costs no more than looking: objects whose keys take turns in one slot are sorted each time,
 * and pay no more than that. A power of two.
 */
const slots = 1_024;
const known = new Array<Known | undefined>(slots).fill(undefined);
/** Bounds of the keys that are remembered: they outlive their run. */
const [maxKeys, maxKeyLength] = [100, 255];
const indexLike = /^\d+$/;

/** Keys in the order of their bytes: the given array when they are; undefined for keys that objects keep in another. */
export function orderOf(keys: string[]): readonly string[] | undefined {
  if (keys.length === 0) return keys;
  const slot = slotOf(keys);
  const found = known[slot];
  if (found !== undefined && isSame(found.keys, keys))
    return found.order === found.keys ? keys : found.order;
  const order = sorted(keys);
  if (keys.length <= maxKeys && keys.every((key) => key.length <= maxKeyLength))
    known[slot] = { keys, order };
  return order;
}

/** A slot by how many keys there are, and by the beginning and end of the first and the last. */
function slotOf(keys: readonly string[]): number {
  const first = keys[0] as string;
  const last = keys[keys.length - 1] as string;
  return (keys.length * 31 + unitsOf(first) * 7 + unitsOf(last)) & (slots - 1);
}

function unitsOf(key: string): number {
  const { length } = key;
  return length === 0 ? 0 : key.charCodeAt(0) + 37 * key.charCodeAt(length - 1) + 131 * length;
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
