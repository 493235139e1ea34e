import { describe, expect, it } from '@jest/globals';
import { waitMs } from './wait-times.js';

describe('the wait a provider asks for', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:05 GMT' }, 0],
    [{ 'x-reset': String(now / 1000 + 9) }, 9_000],
    [{ 'x-left': '3' }, 3_000],
    [{ 'x-ms': String(now + 400) }, 400],
    [{ 'x-date': '2026-01-01T00:00:06Z' }, 6_000],
    [{ 'x-date': 'later' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
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
});
