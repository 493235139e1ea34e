import { ApiError } from '#contract';
import { boundedCache, dropUseless } from './bounded-cache.js';

/** How often something may be done: at once after a quiet time, and on average. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** The words of the Problem of a refused request. */
interface Refusal {
  message: string;
  remediation: string;
}

interface Bucket {
  left: number;
  /** Epoch milliseconds of the last request. */
  at: number;
}

export const maxRateKeys = 50_000;

/** Limits how often each key, such as an address or a token, may do something in this process. Its memory is bounded. */
export class RateLimit {
  private readonly buckets = boundedCache<Bucket>(maxRateKeys);

  constructor(
    private readonly rate: Rate,
    private readonly refusal: Refusal,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts a request. @throws ApiError 429 */
  take(key: string): void {
    const { burst, perSecond } = this.rate;
    const now = this.now();
    const before = this.buckets.get(key);
    const left = before === undefined ? burst : this.leftIn(before, now);
    // A refused request costs nothing, so that somebody who goes on too fast still gets the average.
    this.buckets.set(key, { left: left >= 1 ? left - 1 : left, at: now });
    // One that is full again is as good as none.
    if (before === undefined) dropUseless(this.buckets, (one) => this.leftIn(one, now) >= burst);
    if (left >= 1) return;
    const waitSeconds = Math.ceil((1 - left) / perSecond);
    const headers = { 'retry-after': String(waitSeconds) };
    throw new ApiError(429, this.refusal.message, {
      remediation: this.refusal.remediation,
      headers,
    });
  }

  /** How much was saved until now. */
  private leftIn({ left, at }: Bucket, now: number): number {
    const { burst, perSecond } = this.rate;
    return Math.min(burst, left + (Math.max(0, now - at) / 1_000) * perSecond);
  }
}
