/** Ranges of latencies: each ends at the square root of two times the end of the one before, the first at a millisecond. */
const rangesPerDoubling = 2;
/** Up to 17 minutes, which no call takes; what takes longer counts there. */
const lastRange = 20 * rangesPerDoubling;

/** Adds a latency to counts of ranges, which grow as far as they have to. */
export function countLatency(counts: number[], milliseconds: number): void {
  const range = Math.ceil(rangesPerDoubling * Math.log2(Math.max(1, milliseconds)));
  const place = Math.min(lastRange, range);
  while (counts.length <= place) counts.push(0);
  counts[place] = (counts[place] ?? 0) + 1;
}

/**
 * Estimates a percentile from counts of ranges; within a range, latencies are taken to be evenly spread.
 * @param share such as 0.95
 * @returns milliseconds; undefined if nothing was counted
 */
export function percentileOf(counts: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let left = share * total;
  for (const [place, count] of counts.entries()) {
    if (count > 0 && left <= count) {
      const begin = place === 0 ? 0 : 2 ** ((place - 1) / rangesPerDoubling);
      const end = 2 ** (place / rangesPerDoubling);
      return begin + (left / count) * (end - begin);
    }
    left -= count;
  }
  return 2 ** ((counts.length - 1) / rangesPerDoubling);
}
