import { ApiError } from '#contract';
import type { AuthRateLimiter } from './auth-rate-limiter.js';

/** Maximum number of concurrent look-ups of this process. */
export const maxRunning = 32;
/** Maximum number of concurrent look-ups for an address that sent many unknown tokens. */
export const maxRunningBraked = 2;
/** Maximum number of waiting look-ups, in total and for an address that sent many unknown tokens. */
export const maxWaiting = 2_000;
export const maxWaitingBraked = 100;
const retryAfter = { 'retry-after': '1' };

interface Place {
  running: number;
  waiting: (() => void)[];
}

/**
 * Limits the look-ups of tokens that were not valid before in this process, so that a flood of wrong tokens cannot overload the database.
 * Addresses take turns, so a flood delays only its own address. Unknown tokens slow their address down to a few look-ups at a time; a valid
 * token of that address is refused only if a hundred look-ups wait before it.
 */
export class LookupLimiter {
  private running = 0;
  private waiting = 0;
  /** Addresses with waiting look-ups, in the order of their turns. */
  private readonly places = new Map<string, Place>();

  constructor(private readonly brake: AuthRateLimiter) {}

  /** Number of look-ups that run or wait. */
  get size(): number {
    return this.running + this.waiting;
  }

  /** @throws ApiError 429 or 503 when too many look-ups wait */
  async run<T>(address: string, lookUp: () => Promise<T>): Promise<T> {
    const place = this.places.get(address) ?? { running: 0, waiting: [] };
    this.places.set(address, place);
    if (!this.hasRoom(address, place)) {
      this.refuseWhenFull(address, place);
      this.waiting += 1;
      await new Promise<void>((begin) => place.waiting.push(begin));
    } else this.begin(place);
    try {
      return await lookUp();
    } finally {
      this.running -= 1;
      place.running -= 1;
      if (place.running === 0 && place.waiting.length === 0) this.places.delete(address);
      this.next();
    }
  }

  private hasRoom(address: string, { running }: Place): boolean {
    return (
      this.running < maxRunning && (running < maxRunningBraked || !this.brake.isBraked(address))
    );
  }

  private refuseWhenFull(address: string, { waiting }: Place): void {
    if (waiting.length >= maxWaitingBraked && this.brake.isBraked(address))
      throw new ApiError(429, 'too many unknown tokens came from this address', {
        remediation: 'Try again in a second. Tokens that were used here before are not held back.',
        headers: retryAfter,
      });
    if (this.waiting >= maxWaiting)
      throw new ApiError(503, 'too many tokens are being looked up', {
        remediation: 'Try again in a second. Tokens that were used here before are not held back.',
        headers: retryAfter,
      });
  }

  private begin(place: Place): void {
    this.running += 1;
    place.running += 1;
  }

  private next(): void {
    for (const [address, place] of this.places) {
      if (this.waiting === 0 || this.running >= maxRunning) return;
      if (place.waiting.length === 0 || !this.hasRoom(address, place)) continue;
      this.places.delete(address);
      this.places.set(address, place);
      this.waiting -= 1;
      this.begin(place);
      place.waiting.shift()?.();
      return;
    }
  }
}
