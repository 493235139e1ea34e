import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { KeyUnusable } from './key-unusable.js';
import { type Key, Keyring, type Keys } from './keyring.js';
import { Secret } from './secret.js';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const maxKeys = 10_000;

/** A data key as it is stored: `<id of the key-encryption key>.<data key encrypted with it>`. */
export type WrappedKey = string;

/**
 * Envelope encryption. Each account (or organization, for data without an account) has a data key. It is stored in wrapped form
 * beside the data and in each sealed text, so that a process with the key-encryption key can open the text without the database.
 */
export class Sealer {
  private readonly keys: Keyring;
  private readonly unwrapped = new LRUCache<WrappedKey, Buffer>({ max: maxKeys });

  /** @param keys the current one wraps new data keys. @param older keys that only unwrap existing data keys */
  constructor(keys: Key | Keyring, older: readonly Key[] = []) {
    this.keys = keys instanceof Keyring ? keys : new Keyring([keys, ...older]);
  }

  /** Creates a new data key in wrapped form. */
  createDataKey(): WrappedKey {
    return this.wrap(randomBytes(32));
  }

  /** The id of the key that wraps new data keys. */
  get currentId(): string {
    return this.keys.current.id;
  }

  /** Wraps a data key with the current key-encryption key; sealed texts open with either form. Undefined for a data key of unknown origin. */
  rewrap(key: WrappedKey): WrappedKey | undefined {
    if (key.startsWith(`${this.currentId}.`)) return key;
    let dataKey: Buffer;
    try {
      dataKey = this.unwrap(key);
    } catch {
      return undefined; // not wrapped by any of our keys
    }
    return this.wrap(dataKey);
  }

  /** Checks that all keys with which data was sealed are available. @throws KeyUnusable naming the missing ones */
  checkKnown(ids: readonly string[]): void {
    const missing = ids.filter((id) => this.keys.find(id) === undefined);
    if (missing.length > 0)
      throw new KeyUnusable(
        `The database contains data encrypted with the key-encryption key ${missing.join(' and ')}, but this process has ${this.keys.ids.join(', ')}. Add the missing key to KEY_FILE or OLD_KEY_FILES.`,
      );
  }

  /** Encrypts a text for its owner; only the same owner can open it. */
  seal(key: WrappedKey, owner: string, text: string): string {
    return `v1.${key}.${encrypt(this.unwrap(key), Buffer.from(text), owner).toString('base64url')}`;
  }

  /** @throws Error when the key is missing, the text was modified, or it belongs to another owner. */
  open(owner: string, sealed: string): Secret {
    const [version, keyId = '', wrapped = '', box = ''] = sealed.split('.');
    if (version !== 'v1') throw new Error(`a sealed text of version ${version} cannot be opened`);
    const key = this.unwrap(`${keyId}.${wrapped}`);
    return new Secret(decrypt(key, Buffer.from(box, 'base64url'), owner).toString());
  }

  /** Derives keys for another purpose from the key-encryption keys. */
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
        `the key-encryption key ${id} is missing: this data was encrypted with another key file`,
      );
    const bytes = decrypt(wrapping, Buffer.from(box, 'base64url'), 'data key');
    // A copy of its own: Node cuts small buffers from pieces of 8 KB, and a cached key would keep such a piece.
    const own = Buffer.allocUnsafeSlow(bytes.length);
    bytes.copy(own);
    this.unwrapped.set(key, own);
    return own;
  }
}

/** Encrypts to iv, tag and ciphertext; decryption needs the same context. */
export function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** @throws Error when key or context differ, or the ciphertext was modified. */
export function decrypt(key: Buffer, box: Buffer, context: string): Buffer {
  const decipher = createDecipheriv(algorithm, key, box.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(box.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(box.subarray(ivBytes + tagBytes)), decipher.final()]);
}
