import type { ManagementSchemas } from '#contract';

type Series = ManagementSchemas['GetStatusTimeseriesResult'];

const minuteMs = 60_000;

/** Resolutions of a series, each with the time that it covers. */
export const intervals = {
  minute: { ms: minuteMs, points: 60 },
  hour: { ms: 60 * minuteMs, points: 24 },
} as const;

export type Interval = keyof typeof intervals;

/** Counters of one part of a series; sums arrive as text. */
export interface CountedPart {
  at: Date;
  requests: string;
  failed: string;
  cpu_time: string;
  in_bytes: string;
  out_bytes: string;
}

/** Returns the parts of a series up to now; the last one is not complete. */
export function windowOf(interval: Interval, now: number): { start: Date; end: Date } {
  const { ms, points } = intervals[interval];
  const end = (Math.floor(now / ms) + 1) * ms;
  return { start: new Date(end - points * ms), end: new Date(end) };
}

/** Returns a series with every part in it, including those without usage. */
export function seriesOf(interval: Interval, now: number, counted: readonly CountedPart[]): Series {
  const { start, end } = windowOf(interval, now);
  const { ms, points } = intervals[interval];
  const found = new Map(counted.map((part) => [part.at.getTime(), part]));
  return {
    start_time: start.toISOString(),
    end_time: end.toISOString(),
    interval,
    series: Array.from({ length: points }, (_, index) => {
      const at = start.getTime() + index * ms;
      const part = found.get(at);
      const failed = Number(part?.failed ?? 0);
      return {
        created_at: new Date(at).toISOString(),
        succeeded: Number(part?.requests ?? 0) - failed,
        failed,
        cpu_time: Number(part?.cpu_time ?? 0),
        in_bytes: Number(part?.in_bytes ?? 0),
        out_bytes: Number(part?.out_bytes ?? 0),
      };
    }),
  };
}
