import { createHash, createHmac } from 'node:crypto';
import type { Value } from '@onefold/mapping';
import { FakeRefusal } from './messages.js';

/** The place in a list that a token stands for. */
export interface CursorPlace {
  /** Sort values of the last record. */
  values: Value[];
  /** Its number. */
  number: number;
  /** The greatest number that the list shows; null for all. */
  newest: number | null;
}

interface Payload extends CursorPlace {
  query: string;
  expires: number | null;
}

const macLength = 16;

/** Writes and reads the tokens of lists. They are signed, so that nothing is stored for them. */
export class Cursors {
  constructor(private readonly key: string) {}

  write(place: CursorPlace, query: string, expires: number | null): string {
    const payload: Payload = { ...place, query, expires };
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return this.mac(text) + text;
  }

  /** @throws FakeRefusal bad_cursor */
  read(token: Value, query: string, now: number): CursorPlace {
    const [mac, text] =
      typeof token === 'string' ? [token.slice(0, macLength), token.slice(macLength)] : ['', ''];
    if (text === '' || this.mac(text) !== mac) throw refusal('it is not a token of this list');
    const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload;
    if (payload.query !== query) throw refusal('it belongs to another query');
    if (payload.expires !== null && payload.expires <= now) throw refusal('it has expired');
    return payload;
  }

  private mac(text: string): string {
    return createHmac('sha256', this.key)
      .update(`cursor ${text}`)
      .digest('hex')
      .slice(0, macLength);
  }
}

/** A short text that is the same for the same query. */
export function queryHash(parts: readonly Value[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

function refusal(detail: string): FakeRefusal {
  return new FakeRefusal('bad_cursor', detail);
}
