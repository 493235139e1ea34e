import { type Key, type Keys, onlyKey } from './keyring.js';
import { decrypt, encrypt } from './sealer.js';

const idLength = 8;
const lifetimeMs = 24 * 60 * 60 * 1000;

/** Why a cursor is not taken. */
export class CursorRefused extends Error {}

/** Cursors that callers can neither read nor change nor use elsewhere. */
export class Cursors {
  private readonly keys: Keys;

  constructor(
    keys: Key | Keys,
    private readonly now: () => number = Date.now,
  ) {
    this.keys = 'bytes' in keys ? onlyKey(keys) : keys;
  }

  /** @param context what the cursor is good for: integration, operation, filter, order. */
  issue(context: string, state: unknown): string {
    const plain = Buffer.from(JSON.stringify({ until: this.now() + lifetimeMs, state }));
    const { id, bytes } = this.keys.current;
    return `${id}${encrypt(bytes, plain, context).toString('base64url')}`;
  }

  /** @throws CursorRefused that says why and what to do. */
  read(context: string, cursor: string): unknown {
    let opened: { until: number; state: unknown };
    try {
      const box = Buffer.from(cursor.slice(idLength), 'base64url');
      const key = this.keys.find(cursor.slice(0, idLength));
      if (key === undefined) throw new Error('the cursor names no key');
      opened = JSON.parse(decrypt(key.bytes, box, context).toString()) as typeof opened;
    } catch {
      throw new CursorRefused(
        'is not a cursor of this query: send it with the same integration, filter and order it came from, or begin without one',
      );
    }
    if (opened.until < this.now()) throw new CursorRefused('has expired; begin without a cursor');
    return opened.state;
  }
}
