import { type Key, type Keys, onlyKey } from './keyring.js';
import { decrypt, encrypt } from './sealer.js';

const idBytes = 4;

/** Request bodies with secrets on their way between the processes: whoever listens to the bus reads nothing. */
export class SealedBodies {
  private readonly keys: Keys;

  constructor(keys: Key | Keys) {
    this.keys = 'bytes' in keys ? onlyKey(keys) : keys;
  }

  /** @param context what the body belongs to; it opens there only. */
  seal(context: string, body: Uint8Array): Uint8Array {
    const { id, bytes } = this.keys.current;
    return Buffer.concat([Buffer.from(id, 'hex'), encrypt(bytes, Buffer.from(body), context)]);
  }

  /** @throws Error when its key is not there, it was sealed for something else, or changed. */
  open(context: string, sealed: Uint8Array): Uint8Array {
    const box = Buffer.from(sealed);
    const id = box.toString('hex', 0, idBytes);
    const key = this.keys.find(id);
    if (key === undefined)
      throw new Error(`a body was sealed under the key ${id}, which this process does not have`);
    return decrypt(key.bytes, box.subarray(idBytes), context);
  }
}
