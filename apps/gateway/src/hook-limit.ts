import { Injectable } from '@nestjs/common';
import { ApiError } from '#contract';
import { boundedCache } from './bounded-cache.js';

/** Messages that a token may send at once, after a quiet time. */
export const maxHookBurst = 300;
/** Messages per second that a token may send on average. */
export const hooksPerSecond = 20;
const maxTokens = 50_000;

interface Bucket {
  left: number;
  /** Epoch milliseconds of the last message. */
  at: number;
}

/** Limits the webhook messages of each token in this process, so that a provider that goes wild does not slow others down. */
@Injectable()
export class HookLimit {
  private readonly buckets = boundedCache<Bucket>(maxTokens);

  /** Counts a message. @throws ApiError 429 */
  take(tokenId: string, now = Date.now()): void {
    const before = this.buckets.get(tokenId) ?? { left: maxHookBurst, at: now };
    const earned = (Math.max(0, now - before.at) / 1_000) * hooksPerSecond;
    const left = Math.min(maxHookBurst, before.left + earned);
    this.buckets.set(tokenId, { left: Math.max(0, left - 1), at: now });
    if (left >= 1) return;
    throw new ApiError(429, 'the token sends too many messages', {
      remediation: `A token may send ${hooksPerSecond} messages per second. Send it again in a moment.`,
      headers: { 'retry-after': '1' },
    });
  }
}
