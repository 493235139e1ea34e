import { LRUCache } from 'lru-cache';

/**
 * Creates a cache by text that drops its least recently used entries. It is limited by the sum of sizes, each of which is 1, because
 * lru-cache allocates memory for all entries in advance when their number is limited.
 */
export function boundedCache<Value extends object | true>(
  maxEntries: number,
): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}

/**
 * Drops those of the two least recently used entries that are of no use any more. Called whenever an entry is added, it keeps a cache from
 * filling up with what was used once, without a look at all entries.
 */
export function dropUseless<Value extends object | true>(
  cache: LRUCache<string, Value>,
  isUseless: (value: Value) => boolean,
): void {
  const [last, secondLast] = cache.rkeys();
  for (const key of [last, secondLast]) {
    const value = key === undefined ? undefined : cache.peek(key);
    if (key !== undefined && value !== undefined && isUseless(value)) cache.delete(key);
  }
}
