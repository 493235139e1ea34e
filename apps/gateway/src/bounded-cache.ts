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
