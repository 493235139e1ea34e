import { LRUCache } from 'lru-cache';
import type { Call } from '#contract';

const sessionMs = 10 * 60_000;
const maxKnown = 20_000;

/**
 * Remembers which calls of operations that preview something (`x-previews`) are recorded. Somebody who writes a mapping
 * tries it at every key, and everybody may look at a logon page, so the first call of ten minutes is recorded, and those of
 * the same token that end the same way are not. Each process of the service remembers its own.
 */
export class Previews {
  private readonly known: LRUCache<string, true>;

  /** @param now the time in milliseconds */
  constructor(now: () => number) {
    // The time of the first call counts, so that a long session has a record every ten minutes.
    this.known = new LRUCache({ max: maxKnown, ttl: sessionMs, perf: { now }, ttlResolution: 0 });
  }

  /** Whether a call like this one was recorded in the last ten minutes. */
  has(call: Call, status: number): boolean {
    return this.known.has(keyOf(call, status));
  }

  /** Takes note of a call that is recorded. */
  add(call: Call, status: number): void {
    this.known.set(keyOf(call, status), true);
  }
}

/** Callers without a token are told apart by what they ask for: the path names the organization. */
function keyOf({ caller, operation, path }: Call, status: number): string {
  const who = (caller as Call['caller'] | null)?.tokenId ?? Object.values(path).join('/');
  return `${who} ${operation} ${status}`;
}
