import { describe, expect, it } from '@jest/globals';
import { ApiError } from '#contract';
import { HookLimit, hooksPerSecond, maxHookBurst } from './hook-limit.js';

const start = Date.parse('2026-01-01T00:00:00Z');

function accepted(limit: HookLimit, token: string, count: number, at: number): number {
  let taken = 0;
  for (let n = 0; n < count; n += 1)
    try {
      limit.take(token, at);
      taken += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError);
      expect((error as ApiError).status).toBe(429);
      expect((error as ApiError).options.headers).toEqual({ 'retry-after': '1' });
    }
  return taken;
}

describe('the limit of webhook messages', () => {
  it('lets a burst pass, then so many a second, and counts each token for itself', () => {
    const limit = new HookLimit();
    expect(accepted(limit, 'tok_1', maxHookBurst + 50, start)).toBe(maxHookBurst);
    expect(accepted(limit, 'tok_2', 10, start)).toBe(10);
    expect(accepted(limit, 'tok_1', 100, start + 1_000)).toBe(hooksPerSecond);
    expect(accepted(limit, 'tok_1', 1_000, start + 3_600_000)).toBe(maxHookBurst);
  });
});
