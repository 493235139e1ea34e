import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { KeyUnusable } from './key-unusable.js';
import type { Key, Keys } from './key.js';
import { Keyring } from './keyring.js';
import { Secret } from './secret.js';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const maxKeys = 10_000;

/** A key that wraps data keys in the database. */
export interface KeyInUse {
  id: string;
  /** Null for a key-encryption key. */
  domain: string | null;
}

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

  /** Creates a new data key in wrapped form. @param domain the domain whose key wraps it, in place of the key-encryption key */
  createDataKey(domain?: string): WrappedKey {
    return this.wrap(randomBytes(32), domain);
  }

  /** The id of the key that wraps new data keys. */
  get currentId(): string {
    return this.keys.current.id;
  }

  /** The ids of the keys that wrap new data keys: of all data, and of each domain. */
  get currentIds(): string[] {
    return this.keys.currentIds;
  }

  /** True with the key-encryption key: every sealed text can be opened. */
  get isComplete(): boolean {
    return this.keys.isComplete;
  }

  /** The domain with whose key new texts of a domain are sealed; undefined where the key-encryption key seals them. */
  sealingDomain(domain: string | undefined): string | undefined {
    return this.keys.sealingDomain(domain);
  }

  /** The domain with whose key a text was sealed; undefined for the key-encryption key, and for a key that is not there. */
  domainOf(sealed: string): string | undefined {
    return this.keys.find(sealed.split('.')[1] ?? '')?.domain;
  }

  /** True if the key of a sealed text is there. */
  canOpen(sealed: string): boolean {
    return this.keys.find(sealed.split('.')[1] ?? '') !== undefined;
  }

  /** Wraps a data key with the current key of its domain; sealed texts open with either form. Undefined for a data key of unknown origin. */
  rewrap(key: WrappedKey): WrappedKey | undefined {
    const id = key.split('.')[0] ?? '';
    if (this.currentIds.includes(id)) return key;
    let dataKey: Buffer;
    try {
      dataKey = this.unwrap(key);
    } catch {
      return undefined; // not wrapped by any of our keys
    }
    return this.wrap(dataKey, this.keys.find(id)?.domain);
  }

  /**
   * Checks that the keys are there with which data was sealed, and those that new data is sealed with.
   * @param domains those of a process that serves no others; without them it needs the key-encryption key
   * @throws KeyUnusable naming the missing ones
   */
  checkKnown(inUse: readonly KeyInUse[], domains?: readonly string[]): void {
    for (const domain of domains ?? []) void this.keys.forDomain(domain).current;
    if (domains === undefined) void this.keys.current;
    const missing = inUse
      .filter(({ domain }) => this.needsKeyOf(domain, domains))
      .filter(({ id }) => this.keys.find(id) === undefined);
    if (missing.length > 0)
      throw new KeyUnusable(
        `The database contains data encrypted with ${missing.map(nameKey).join(' and ')}, but this process has ${this.keys.ids.join(', ')}. Add the missing key to KEY_FILE or OLD_KEY_FILES.`,
      );
  }

  private needsKeyOf(domain: string | null, domains: readonly string[] | undefined): boolean {
    if (domain !== null && this.keys.isComplete) this.keys.forDomain(domain); // a version before may have served it
    return this.keys.isComplete || (domain !== null && domains?.includes(domain) === true);
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

  /** Derives keys for another purpose. @param domain the domain that they are used for */
  derive(purpose: string, domain?: string): Keys {
    return this.keys.derive(purpose, domain);
  }

  private wrap(dataKey: Buffer, domain: string | undefined): WrappedKey {
    const { id, bytes } = (domain === undefined ? this.keys : this.keys.forDomain(domain)).current;
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

function nameKey({ id, domain }: KeyInUse): string {
  return domain === null ? `the key-encryption key ${id}` : `the key ${id} of the domain ${domain}`;
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
