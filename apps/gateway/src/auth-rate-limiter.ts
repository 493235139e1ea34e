import { boundedCache, dropUseless } from './bounded-cache.js';

export const windowMs = 60_000;
export const maxFailures = 30;
const maxKeys = 100_000;

/** Counts failures per key, such as an address, within a minute. After the thirtieth the key is braked until the minute is over. */
export class AuthRateLimiter {
  private readonly failures = boundedCache<{ count: number; until: number }>(maxKeys);

  constructor(private readonly now: () => number = Date.now) {}

  isBraked(key: string): boolean {
    return this.waitSeconds(key) > 0;
  }

  /** Returns the seconds until a key is no longer braked; 0 if it is not. */
  waitSeconds(key: string): number {
    const entry = this.failures.get(key);
    if (entry === undefined || entry.count < maxFailures) return 0;
    const left = entry.until - this.now();
    return left > 0 ? Math.ceil(left / 1_000) : 0;
  }

  failed(key: string): void {
    const now = this.now();
    const entry = this.failures.get(key);
    if (entry && entry.until > now) {
      entry.count += 1;
      return;
    }
    this.failures.set(key, { count: 1, until: now + windowMs });
    dropUseless(this.failures, ({ until }) => until <= now);
  }
}
