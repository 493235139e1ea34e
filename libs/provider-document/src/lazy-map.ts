/** A map whose keys are known, and whose values are made when they are first read. Going through its values makes all of them. */
export class LazyMap<K, V> implements ReadonlyMap<K, V> {
  private readonly made = new Map<K, V>();
  private readonly known: ReadonlySet<K>;

  /** @param make what it throws, `get` throws; the next `get` calls it again */
  constructor(
    known: Iterable<K>,
    private readonly make: (key: K) => V,
  ) {
    this.known = new Set(known);
  }

  get size(): number {
    return this.known.size;
  }

  has(key: K): boolean {
    return this.known.has(key);
  }

  get(key: K): V | undefined {
    if (!this.known.has(key)) return undefined;
    return this.valueOf(key);
  }

  keys(): MapIterator<K> {
    return this.known.keys();
  }

  *entries(): MapIterator<[K, V]> {
    for (const key of this.known) yield [key, this.valueOf(key)];
  }

  *values(): MapIterator<V> {
    for (const key of this.known) yield this.valueOf(key);
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(work: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) work(value, key, this);
  }

  private valueOf(key: K): V {
    if (!this.made.has(key)) this.made.set(key, this.make(key));
    return this.made.get(key) as V;
  }
}

/** An object with the keys of a map; each value is made of the map's when it is first read. */
export function lazyObject<K extends string, V, W>(
  map: ReadonlyMap<K, V>,
  make: (value: V) => W,
): Record<K, W> {
  const object = {} as Record<K, W>;
  for (const key of map.keys())
    Object.defineProperty(object, key, {
      enumerable: true,
      configurable: true,
      get() {
        const value = make(map.get(key) as V);
        Object.defineProperty(object, key, { value });
        return value;
      },
    });
  return object;
}
