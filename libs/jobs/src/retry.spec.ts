import { describe, expect, it } from '@jest/globals';
import { ApiError } from '#contract';
import { isFinal, waitAfter } from './retry.js';

const middle = () => 0.5;
const limited = (seconds: string) =>
  new ApiError(429, 'slow down', { headers: { 'retry-after': seconds } });

describe('the wait before the next attempt at a page', () => {
  it('is what the provider says, and an hour at most', () => {
    expect(waitAfter(limited('30'), 5, middle)).toBe(30_000);
    expect(waitAfter(limited('86400'), 0, middle)).toBe(3_600_000);
  });

  it('doubles up to ten minutes otherwise, with jitter', () => {
    const error = new ApiError(503, 'away');
    expect([0, 1, 2, 20, 2_000].map((n) => waitAfter(error, n, middle))).toEqual([
      2_000, 4_000, 8_000, 600_000, 600_000,
    ]);
    expect(waitAfter(limited('soon'), 0, () => 0)).toBe(1_500);
    expect(waitAfter(new Error('gone'), 0, () => 1)).toBe(2_500);
  });
});

it.each([
  [new ApiError(400, 'the filter'), true],
  [new ApiError(404, 'the integration'), true],
  [new ApiError(501, 'the operation'), true],
  [new ApiError(429, 'the limit'), false],
  [new ApiError(502, 'the provider'), false],
  [new ApiError(503, 'the service'), false],
  [new Error('anything'), false],
])('%s ends the job: %s', (error, final) => {
  expect(isFinal(error)).toBe(final);
});
