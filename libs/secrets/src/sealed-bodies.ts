import type { Key } from './key-file.js';
import { decrypt, encrypt } from './sealer.js';

/** Request bodies with secrets on their way between the processes: whoever listens to the bus reads nothing. */
export class SealedBodies {
  constructor(private readonly key: Key) {}

  /** @param context what the body belongs to; it opens there only. */
  seal(context: string, body: Uint8Array): Uint8Array {
    return encrypt(this.key.bytes, Buffer.from(body), context);
  }

  /** @throws Error when it was sealed under another key, for something else, or changed. */
  open(context: string, sealed: Uint8Array): Uint8Array {
    return decrypt(this.key.bytes, Buffer.from(sealed), context);
  }
}
