import { expect, it } from '@jest/globals';
import { describeBudget, rateLimitHeaders } from './rate-limit-headers.js';

const all = { name: undefined, requests: 10, periodMs: 1_000, left: 5, resetMs: 900 };
const reads = { name: 'reads', requests: 100, periodMs: 60_000, left: 3, resetMs: 12_300 };
const concurrency = { name: 'concurrency', requests: 8, periodMs: 0, left: 8, resetMs: 0 };

it('tells all budgets, and what is left of the one that is nearest to its end', () => {
  expect(rateLimitHeaders([all, reads, concurrency])).toEqual({
    'ratelimit-policy':
      '"provider";q=10;w=1, "provider-reads";q=100;w=60, "provider-concurrency";q=8;qu="concurrent-requests"',
    ratelimit: '"provider-reads";r=3;t=13',
  });
  expect(rateLimitHeaders([concurrency])['ratelimit']).toBe('"provider-concurrency";r=8');
  expect(rateLimitHeaders([])).toEqual({});
});

it('says a budget in words', () => {
  expect([all, reads, concurrency, { ...all, requests: 1 }].map(describeBudget)).toEqual([
    '10 calls in 1 s',
    '100 calls in 60 s (reads)',
    '8 calls at the same time',
    '1 call in 1 s',
  ]);
});
