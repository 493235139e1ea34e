import { deriveBytes, type Key, type Keys } from './key.js';

/** Keys for another purpose, each derived from a key with the same id. The source is asked each time, because its keys may be replaced. */
export class DerivedKeys implements Keys {
  private readonly derived = new Map<string, Key>();

  constructor(
    private readonly currentSource: () => Key,
    private readonly findSource: (id: string) => Key | undefined,
    private readonly purpose: string,
  ) {}

  get current(): Key {
    return this.of(this.currentSource());
  }

  find(id: string): Key | undefined {
    const key = this.findSource(id);
    return key && this.of(key);
  }

  private of(key: Key): Key {
    const known = this.derived.get(key.id);
    if (known) return known;
    const derived = { id: key.id, bytes: deriveBytes(key, this.purpose) };
    this.derived.set(key.id, derived);
    return derived;
  }
}
