import { createHash, hkdfSync } from 'node:crypto';

/** A key of 32 bytes and its id, which encrypted texts contain. */
export interface Key {
  id: string;
  bytes: Buffer;
  /** The domain whose data the key protects; absent for a key-encryption key, from which those of all domains are derived. */
  domain?: string;
}

/** Keys by id, one of which encrypts new texts. */
export interface Keys {
  readonly current: Key;
  find(id: string): Key | undefined;
}

/** Gives keys for a purpose. */
export interface KeySource {
  derive(purpose: string): Keys;
}

export const keyBytes = 32;

/** Creates a key from its bytes. @param domain the domain that it is for, if it is not for all of them */
export function keyOf(bytes: Buffer, domain?: string): Key {
  const hash = createHash('sha256').update('onefold key id').update(bytes);
  const id = hash.digest('hex').slice(0, 8);
  return domain === undefined ? { id, bytes } : { id, bytes, domain };
}

/** Derives the bytes of a key for a purpose, which do not lead back to the key. */
export function deriveBytes({ bytes }: Key, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', bytes, '', `onefold ${purpose}`, keyBytes));
}

/** Wraps a single key as {@link Keys}. */
export function onlyKey(key: Key): Keys {
  return { current: key, find: (id) => (id === key.id ? key : undefined) };
}
