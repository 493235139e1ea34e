/** Memory of a process at one time, in MB. */
export interface MemorySample {
  /** Seconds since the load began. */
  at: number;
  /** Heap and buffers after garbage collection. */
  used: number;
  resident: number;
}

export interface Growth {
  name: string;
  what: 'used' | 'resident';
  /** Medians of the first and the last third of the samples after the warm-up, in MB. */
  first: number;
  last: number;
  /** The last as a share of the first, minus 1. */
  share: number;
  isWithin: boolean;
}

/** Fewer samples than this after the warm-up say nothing of growth. */
const minSamples = 6;

/**
 * Compares the median of the last third of what a process held after the warm-up with that of the first third: single peaks change
 * neither, and a leak of any constant rate shows.
 * @throws Error if there are too few samples
 */
export function judgeGrowth(
  samples: Readonly<Record<string, readonly MemorySample[]>>,
  { warmUpSeconds, maxShare, kinds }: GrowthLimits,
): Growth[] {
  return Object.entries(samples).flatMap(([name, all]) => {
    const warm = all.filter(({ at }) => at >= warmUpSeconds);
    if (warm.length < minSamples)
      throw new Error(
        `${name}: ${warm.length} samples after the warm-up, at least ${minSamples} are needed: let it run for longer`,
      );
    const third = Math.floor(warm.length / 3);
    return kinds.map((what) => {
      const first = median(warm.slice(0, third).map((one) => one[what]));
      const last = median(warm.slice(-third).map((one) => one[what]));
      const share = last / first - 1;
      return { name, what, first, last, share, isWithin: share <= maxShare };
    });
  });
}

/** True if there are enough samples after the warm-up to judge growth. */
export function hasSamples(
  samples: Readonly<Record<string, readonly MemorySample[]>>,
  { warmUpSeconds }: GrowthLimits,
): boolean {
  const all = Object.values(samples);
  const warm = all.map((some) => some.filter(({ at }) => at >= warmUpSeconds).length);
  return warm.length > 0 && Math.min(...warm) >= minSamples;
}

export interface GrowthLimits {
  warmUpSeconds: number;
  /** Largest share by which a process may grow, such as 0.05. */
  maxShare: number;
  kinds: readonly Growth['what'][];
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}
