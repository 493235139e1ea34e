import { describe, expect, it } from '@jest/globals';
import { parseTime } from './parse-time.js';
import { remainingOf, waitMs } from './wait-times.js';

const now = Date.parse('2026-01-01T00:00:00Z');

describe('the wait a provider asks for', () => {
  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after': '0.493' }, 493],
    [{ 'retry-after': '+2' }, 2_000],
    [{ 'retry-after': '2s' }, 2_000],
    [{ 'retry-after': '60 seconds' }, 60_000],
    [{ 'retry-after': '1500ms' }, 1_500],
    [{ 'retry-after': '30, 30' }, 30_000],
    [{ 'retry-after': '2, 5' }, 5_000],
    [{ 'retry-after': String(now / 1000 + 9) }, 9_000],
    [{ 'retry-after': String(now + 400) }, 400],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5_000],
    [{ 'retry-after': 'Thursday, 01-Jan-26 00:00:05 GMT' }, 5_000],
    [{ 'retry-after': 'Thu Jan  1 00:00:05 2026' }, 5_000],
    [{ 'retry-after': '2026-01-01T00:00:05.5Z' }, 5_500],
    [{ 'retry-after': '2026-01-01 01:00:05+01:00' }, 5_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:05 GMT' }, undefined],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'May 5' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '1e3' }, undefined],
    [{ 'x-reset': String(now / 1000 + 9) }, 9_000],
    [{ 'x-reset': '12' }, undefined],
    [{ 'x-reset': `${now / 1000 + 9}, ${now / 1000 + 9}` }, 9_000],
    [{ 'x-left': '3' }, 3_000],
    [{ 'x-ms': String(now + 400) }, 400],
    [{ 'x-date': '2026-01-01T00:00:06Z' }, 6_000],
    [{ 'x-date': 'later' }, undefined],
    [{ 'x-ratelimit-reset': '20' }, 20_000],
    [{ 'x-ratelimit-reset': String(now / 1000 + 20) }, 20_000],
    [{ 'x-ratelimit-reset': '2026-01-01T00:00:20Z' }, 20_000],
    [{ 'x-ratelimit-reset': '20', 'x-ratelimit-remaining': '4' }, undefined],
    [{ 'x-ratelimit-reset': '20', 'x-ratelimit-remaining': '0' }, 20_000],
    [{}, undefined],
  ])('is read from %j', (headers, wait) => {
    const resets = [
      { header: 'X-Reset', unit: 'epoch' },
      { header: 'x-left', unit: 'seconds' },
      { header: 'x-ms', unit: 'epoch_ms' },
      { header: 'x-date', unit: 'date' },
    ] as const;
    expect(waitMs(headers as Record<string, string>, resets, now)).toBe(wait);
  });

  it('is Retry-After alone where no limit is reached', () => {
    expect(waitMs({ 'x-ratelimit-reset': '3600' }, undefined, now)).toBeUndefined();
    expect(waitMs({ 'retry-after': '3' }, undefined, now)).toBe(3_000);
  });
});

describe('a time of another system', () => {
  it.each([
    ['2026-01-01T00:00:00', now],
    ['2026-01-01T00:00Z', now],
    ['2026-01-01T02:00:00+0200', now],
    ['2026-01-01T02:00:00+02', now],
    ['Thu, 01 Jan 2026 02:00:00 +0200', now],
    ['1 Jan 2026 00:00:00', now],
    ['20260101', undefined],
    ['2026', undefined],
    ['-3', undefined],
    ['2026-13-01T00:00:00Z', undefined],
  ])('is read from %s', (text, time) => {
    expect(parseTime(text)).toBe(time);
  });
});

describe('what a provider says is left', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each<[Record<string, string>, ReturnType<typeof remainingOf>]>([
    [
      { 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': '20' },
      { requests: 4, forMs: 20_000 },
    ],
    [
      { 'ratelimit-remaining': '0', 'ratelimit-reset': '3' },
      { requests: 0, forMs: 3_000 },
    ],
    [{ ratelimit: '"default";r=50;t=30' }, { requests: 50, forMs: 30_000 }],
    [{ ratelimit: '"a";q=9;r=7;pk=:x:;t=2' }, { requests: 7, forMs: 2_000 }],
    [{ 'x-ratelimit-remaining': '4' }, undefined],
    [{ 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': '20' }, undefined],
    [{}, undefined],
  ])('is read of %j', (headers, expected) => {
    expect(remainingOf(headers, now)).toEqual(expected);
  });
});
