import { type Key, type Keys, onlyKey } from './key.js';
import { decrypt, encrypt } from './sealer.js';

const idLength = 8;
const lifetimeMs = 24 * 60 * 60 * 1000;

/** A cursor is invalid or has expired. */
export class CursorRefused extends Error {}

/** Issues cursors that callers can neither read, nor change, nor use for another query. */
export class Cursors {
  private readonly keys: Keys;

  constructor(
    keys: Key | Keys,
    private readonly now: () => number = Date.now,
  ) {
    this.keys = 'bytes' in keys ? onlyKey(keys) : keys;
  }

  /** @param context identifies the query: integration, operation, filter, order. @param validMs a day by default */
  issue(context: string, state: unknown, validMs = lifetimeMs): string {
    const plain = Buffer.from(JSON.stringify({ until: this.now() + validMs, state }));
    const { id, bytes } = this.keys.current;
    return `${id}${encrypt(bytes, plain, context).toString('base64url')}`;
  }

  /** @throws CursorRefused that names the reason and the remedy. */
  read(context: string, cursor: string): unknown {
    let opened: { until: number; state: unknown };
    try {
      const box = Buffer.from(cursor.slice(idLength), 'base64url');
      const key = this.keys.find(cursor.slice(0, idLength));
      if (key === undefined) throw new Error('the key of the cursor is unknown');
      opened = JSON.parse(decrypt(key.bytes, box, context).toString()) as typeof opened;
    } catch {
      throw new CursorRefused(
        'is not a cursor of this query: send it with the integration, filter and order for which it was returned, or start without a cursor',
      );
    }
    if (opened.until < this.now()) throw new CursorRefused('has expired; start without a cursor');
    return opened.state;
  }
}
