import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { KeyUnusable } from './key-unusable.js';
import { type Key, Keyring, type Keys } from './keyring.js';
import { Secret } from './secret.js';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const maxKeys = 10_000;

/** A data key as it is stored: `<id of the key-encryption key>.<the data key under it>`. */
export type WrappedKey = string;

/**
 * Envelope encryption. Each account (else each organization) has a data key; that lies wrapped beside the data, and in each
 * sealed text, so that whoever holds the key-encryption key can open it without asking the database.
 */
export class Sealer {
  private readonly keys: Keyring;
  private readonly unwrapped = new LRUCache<WrappedKey, Buffer>({ max: maxKeys });

  /** @param keys the current one wraps new data keys. @param older only open what they once wrapped. */
  constructor(keys: Key | Keyring, older: readonly Key[] = []) {
    this.keys = keys instanceof Keyring ? keys : new Keyring([keys, ...older]);
  }

  /** A new data key, wrapped. */
  createDataKey(): WrappedKey {
    return this.wrap(randomBytes(32));
  }

  /** The name of the key that wraps new data keys. */
  get currentId(): string {
    return this.keys.current.id;
  }

  /** The same data key under the current key-encryption key; texts it sealed open with either. Undefined when it is none. */
  rewrap(key: WrappedKey): WrappedKey | undefined {
    if (key.startsWith(`${this.currentId}.`)) return key;
    let dataKey: Buffer;
    try {
      dataKey = this.unwrap(key);
    } catch {
      return undefined; // no key of ours wrapped it
    }
    return this.wrap(dataKey);
  }

  /** @throws KeyUnusable when one of these keys, which data was sealed under, is not there */
  checkKnown(ids: readonly string[]): void {
    const missing = ids.filter((id) => this.keys.find(id) === undefined);
    if (missing.length > 0)
      throw new KeyUnusable(
        `The database holds data sealed under the key-encryption key ${missing.join(' and ')}, this process has ${this.keys.ids.join(', ')}. Put the missing key back into KEY_FILE or OLD_KEY_FILES.`,
      );
  }

  /** Seals a text for its owner; it opens only for the same owner. */
  seal(key: WrappedKey, owner: string, text: string): string {
    return `v1.${key}.${encrypt(this.unwrap(key), Buffer.from(text), owner).toString('base64url')}`;
  }

  /** @throws Error when the key is not there, the text was changed, or it belongs to somebody else. */
  open(owner: string, sealed: string): Secret {
    const [version, keyId = '', wrapped = '', box = ''] = sealed.split('.');
    if (version !== 'v1') throw new Error(`a sealed text of version ${version} cannot be opened`);
    const key = this.unwrap(`${keyId}.${wrapped}`);
    return new Secret(decrypt(key, Buffer.from(box, 'base64url'), owner).toString());
  }

  /** Keys for another purpose, derived from the key-encryption keys. */
  derive(purpose: string): Keys {
    return this.keys.derive(purpose);
  }

  private wrap(dataKey: Buffer): WrappedKey {
    const { id, bytes } = this.keys.current;
    return `${id}.${encrypt(bytes, dataKey, 'data key').toString('base64url')}`;
  }

  private unwrap(key: WrappedKey): Buffer {
    const known = this.unwrapped.get(key);
    if (known) return known;
    const [id = '', box = ''] = key.split('.');
    const wrapping = this.keys.find(id)?.bytes;
    if (wrapping === undefined)
      throw new Error(
        `the key-encryption key ${id} is not there: this data was sealed under another key file`,
      );
    const bytes = decrypt(wrapping, Buffer.from(box, 'base64url'), 'data key');
    this.unwrapped.set(key, bytes);
    return bytes;
  }
}

/** iv, tag, ciphertext; `context` has to be the same to decrypt. */
export function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** @throws Error when key, context or text are not what was encrypted. */
export function decrypt(key: Buffer, box: Buffer, context: string): Buffer {
  const decipher = createDecipheriv(algorithm, key, box.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(box.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(box.subarray(ivBytes + tagBytes)), decipher.final()]);
}
