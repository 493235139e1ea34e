import { type Key, type Keys, onlyKey } from './key.js';
import { decrypt, encrypt } from './sealer.js';

const idBytes = 4;

/** Encrypts request bodies with secrets between processes, so that nobody can read them on the bus. */
export class SealedBodies {
  private readonly keys: Keys;

  constructor(keys: Key | Keys) {
    this.keys = 'bytes' in keys ? onlyKey(keys) : keys;
  }

  /** @param context identifies the request; decryption needs the same context. */
  seal(context: string, body: Uint8Array): Uint8Array {
    const { id, bytes } = this.keys.current;
    return Buffer.concat([Buffer.from(id, 'hex'), encrypt(bytes, Buffer.from(body), context)]);
  }

  /** @throws Error when the key is missing, the context differs, or the body was modified. */
  open(context: string, sealed: Uint8Array): Uint8Array {
    const box = Buffer.from(sealed);
    const id = box.toString('hex', 0, idBytes);
    const key = this.keys.find(id);
    if (key === undefined)
      throw new Error(`a body was encrypted with the key ${id}, which this process does not have`);
    return decrypt(key.bytes, box.subarray(idBytes), context);
  }
}
