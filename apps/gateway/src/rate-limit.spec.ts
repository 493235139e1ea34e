import { describe, expect, it } from '@jest/globals';
import { ApiError } from '#contract';
import { maxRateKeys, RateLimit } from './rate-limit.js';

const rate = { burst: 300, perSecond: 20 };
let now = Date.parse('2026-01-01T00:00:00Z');

function newLimit(options = rate): RateLimit {
  return new RateLimit(options, { message: 'too many', remediation: 'Wait.' }, () => now);
}

/** Makes requests, and returns how many of them were accepted. */
function accepted(limit: RateLimit, key: string, count: number): number {
  let taken = 0;
  for (let n = 0; n < count; n += 1)
    try {
      limit.take(key);
      taken += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError);
      expect((error as ApiError).status).toBe(429);
      expect((error as ApiError).options.headers).toEqual({ 'retry-after': '1' });
    }
  return taken;
}

describe('a rate limit', () => {
  it('lets a burst pass, then so many a second, and counts each key for itself', () => {
    const limit = newLimit();
    expect(accepted(limit, 'tok_1', rate.burst + 50)).toBe(rate.burst);
    expect(accepted(limit, 'tok_2', 10)).toBe(10);
    now += 1_000;
    expect(accepted(limit, 'tok_1', 100)).toBe(rate.perSecond);
    now += 3_600_000;
    expect(accepted(limit, 'tok_1', 1_000)).toBe(rate.burst);
  });

  it('gives the average to somebody who never waits', () => {
    const limit = newLimit();
    accepted(limit, 'tok_1', rate.burst);
    let taken = 0;
    for (let tenths = 0; tenths < 10_000; tenths += 1) {
      now += 0.1;
      taken += accepted(limit, 'tok_1', 1);
    }
    expect(Math.abs(taken - rate.perSecond)).toBeLessThanOrEqual(1); // sums of tenths are not exact
  });

  it('says after how many seconds a request is accepted', () => {
    const limit = newLimit({ burst: 1, perSecond: 0.1 });
    limit.take('tok_1');
    now += 2_500;
    try {
      limit.take('tok_1');
      throw new Error('it was accepted');
    } catch (error) {
      expect((error as ApiError).options.headers).toEqual({ 'retry-after': '8' });
    }
  });

  it('forgets the key that was used least recently when there are too many', () => {
    const limit = newLimit({ burst: 1, perSecond: 1 });
    for (let n = 0; n <= maxRateKeys; n += 1) limit.take(`key ${n}`);
    expect(accepted(limit, `key ${maxRateKeys}`, 1)).toBe(0);
    expect(accepted(limit, 'key 0', 1)).toBe(1);
  });
});
