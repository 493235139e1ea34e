import { createHash, hkdfSync } from 'node:crypto';

/** A key of 32 bytes and its id, which encrypted texts contain. */
export interface Key {
  id: string;
  bytes: Buffer;
}

/** Keys by id, one of which encrypts new texts. */
export interface Keys {
  readonly current: Key;
  find(id: string): Key | undefined;
}

export const keyBytes = 32;

/** Creates a key from its bytes. */
export function keyOf(bytes: Buffer): Key {
  const hash = createHash('sha256').update('onefold key id').update(bytes);
  return { id: hash.digest('hex').slice(0, 8), bytes };
}

/** The key-encryption keys of a process. They may be replaced while it runs. */
export class Keyring implements Keys {
  private keys: ReadonlyMap<string, Key> = new Map();
  private first: Key;

  /** @param keys the first one wraps new data keys, the others only unwrap existing ones. */
  constructor(keys: readonly [Key, ...Key[]]) {
    [this.first] = keys;
    this.replace(keys);
  }

  get current(): Key {
    return this.first;
  }

  get ids(): string[] {
    return [...this.keys.keys()];
  }

  find(id: string): Key | undefined {
    return this.keys.get(id);
  }

  replace(keys: readonly [Key, ...Key[]]): void {
    [this.first] = keys;
    this.keys = new Map(keys.map((key) => [key.id, key]));
  }

  /** Derives keys for another purpose, each from the key-encryption key with the same id. */
  derive(purpose: string): Keys {
    return new DerivedKeys(this, purpose);
  }
}

class DerivedKeys implements Keys {
  private readonly derived = new Map<string, Key>();

  constructor(
    private readonly ring: Keyring,
    private readonly purpose: string,
  ) {}

  get current(): Key {
    return this.of(this.ring.current);
  }

  find(id: string): Key | undefined {
    const key = this.ring.find(id);
    return key && this.of(key);
  }

  private of({ id, bytes }: Key): Key {
    const known = this.derived.get(id);
    if (known) return known;
    const derived = hkdfSync('sha256', bytes, '', `onefold ${this.purpose}`, keyBytes);
    const key = { id, bytes: Buffer.from(derived) };
    this.derived.set(id, key);
    return key;
  }
}

/** Wraps a single key as {@link Keys}. */
export function onlyKey(key: Key): Keys {
  return { current: key, find: (id) => (id === key.id ? key : undefined) };
}
