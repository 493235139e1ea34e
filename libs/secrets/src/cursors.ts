import type { Key } from './key-file.js';
import { decrypt, encrypt } from './sealer.js';

const lifetimeMs = 24 * 60 * 60 * 1000;

/** Why a cursor is not taken. */
export class CursorRefused extends Error {}

/** Cursors that callers can neither read nor change nor use elsewhere. */
export class Cursors {
  constructor(
    private readonly key: Key,
    private readonly now: () => number = Date.now,
  ) {}

  /** @param context what the cursor is good for: integration, operation, filter, order. */
  issue(context: string, state: unknown): string {
    const plain = Buffer.from(JSON.stringify({ until: this.now() + lifetimeMs, state }));
    return `${this.key.id}${encrypt(this.key.bytes, plain, context).toString('base64url')}`;
  }

  /** @throws CursorRefused that says why and what to do. */
  read(context: string, cursor: string): unknown {
    let opened: { until: number; state: unknown };
    try {
      const box = Buffer.from(cursor.slice(this.key.id.length), 'base64url');
      opened = JSON.parse(decrypt(this.key.bytes, box, context).toString()) as typeof opened;
    } catch {
      throw new CursorRefused(
        'is not a cursor of this query: send it with the same integration, filter and order it came from, or begin without one',
      );
    }
    if (opened.until < this.now()) throw new CursorRefused('has expired; begin without a cursor');
    return opened.state;
  }
}
