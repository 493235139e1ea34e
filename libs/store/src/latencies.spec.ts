import { describe, expect, it } from '@jest/globals';
import { countLatency, percentileOf } from './latencies.js';

function countsOf(latencies: readonly number[]): number[] {
  const counts: number[] = [];
  for (const one of latencies) countLatency(counts, one);
  return counts;
}

describe('percentiles of latencies', () => {
  it('are those of the latencies themselves, within a fifth', () => {
    const latencies = Array.from({ length: 1_000 }, (_, index) => 5 + index);
    const counts = countsOf(latencies);
    for (const share of [0.5, 0.95, 0.99]) {
      const exact = latencies[Math.ceil(share * latencies.length) - 1] ?? 0;
      const estimated = percentileOf(counts, share) ?? 0;
      expect([share, Math.abs(estimated / exact - 1) < 0.2]).toEqual([share, true]);
    }
  });

  it('are unknown where nothing was counted', () => {
    expect(percentileOf([], 0.5)).toBeUndefined();
    expect(percentileOf([0, 0], 0.5)).toBeUndefined();
  });

  it('take what is shorter or longer than every range into the first and the last one', () => {
    const counts = countsOf([0, 0.2, 10_000_000]);
    expect([counts[0], counts.length, counts.at(-1)]).toEqual([2, 41, 1]);
    expect(percentileOf(counts, 0.5)).toBeLessThanOrEqual(1);
    expect(percentileOf(counts, 1)).toBeCloseTo(2 ** 20);
  });
});
