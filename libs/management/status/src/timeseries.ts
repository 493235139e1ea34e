import { type ApiError, badRequest, type ManagementSchemas } from '#contract';
import { parseInstant } from '#query';
import { percentileOf } from '#store';

type Series = ManagementSchemas['GetStatusTimeseriesResult'];

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Resolutions of a series: the time of a point, the points without `from`, and how many days back there are some. */
export const intervals = {
  minute: { ms: minuteMs, points: 60, keptDays: 1 },
  hour: { ms: 60 * minuteMs, points: 24, keptDays: 90 },
  day: { ms: dayMs, points: 30, keptDays: 90 },
} as const;

/** Maximum number of points of a response. */
const maxPoints = 2_880;

export type Interval = keyof typeof intervals;

/** Counters of one part of a series; sums arrive as text. */
export interface CountedPart {
  at: Date;
  requests: string;
  job_requests: string;
  failed: string;
  cpu_time: string;
  in_bytes: string;
  out_bytes: string;
  /** How many calls took how long; series of the organization have none. */
  latencies?: readonly string[] | null;
}

/** The time that a series covers: whole intervals, in milliseconds. */
export interface Window {
  interval: Interval;
  start: number;
  end: number;
}

/** The window that the caller asks for. */
export interface WantedWindow {
  interval?: Interval | null;
  from?: string | null;
  to?: string | null;
}

/**
 * Returns the window that a caller wants; one that ends now has an incomplete last interval.
 * @param defaultInterval the interval if none is given
 * @throws ApiError 400
 */
export function windowOf(
  { interval: wanted, from, to }: WantedWindow,
  now: number,
  defaultInterval: Interval,
): Window {
  const interval = wanted ?? defaultInterval;
  const { ms, points, keptDays } = intervals[interval];
  const end = Math.ceil((to ? timeOf('to', to) : now + 1) / ms) * ms;
  const start = from ? Math.floor(timeOf('from', from) / ms) * ms : end - points * ms;
  if (start >= end) throw refused('from', from, 'is not before the end', 'Send an earlier time.');
  const oldest = Math.floor(now / dayMs) * dayMs - keptDays * dayMs;
  if (start < oldest)
    throw refused(
      from ? 'from' : 'to',
      from ?? to,
      `is too early: the oldest ${interval} that is kept is that of ${new Date(oldest).toISOString()}`,
      interval === 'minute' ? 'Send a later time, or interval=hour.' : 'Send a later time.',
    );
  if ((end - start) / ms > maxPoints)
    throw refused(
      'from',
      from,
      `makes ${(end - start) / ms} points, and ${maxPoints} are allowed`,
      'Send a later time, or a longer interval.',
    );
  return { interval, start, end };
}

/** Returns a series with every part in it, including those without usage. */
export function seriesOf(
  { interval, start, end }: Window,
  counted: readonly CountedPart[],
): Series {
  const { ms } = intervals[interval];
  const found = new Map(counted.map((part) => [part.at.getTime(), part]));
  return {
    start_time: new Date(start).toISOString(),
    end_time: new Date(end).toISOString(),
    interval,
    series: Array.from({ length: (end - start) / ms }, (_, index) => {
      const at = start + index * ms;
      const part = found.get(at);
      const failed = Number(part?.failed ?? 0);
      return {
        created_at: new Date(at).toISOString(),
        succeeded: Number(part?.requests ?? 0) - failed,
        failed,
        job_requests: Number(part?.job_requests ?? 0),
        cpu_time: Number(part?.cpu_time ?? 0),
        in_bytes: Number(part?.in_bytes ?? 0),
        out_bytes: Number(part?.out_bytes ?? 0),
        ...percentilesOf((part?.latencies ?? []).map(Number)),
      };
    }),
  };
}

/** Returns the percentiles of a part in which something ran, in microseconds. */
function percentilesOf(latencies: readonly number[]) {
  const [p50, p95] = [percentileOf(latencies, 0.5), percentileOf(latencies, 0.95)];
  if (p50 === undefined || p95 === undefined) return {};
  return { duration_p50: Math.round(p50 * 1_000), duration_p95: Math.round(p95 * 1_000) };
}

function timeOf(pointer: string, text: string): number {
  const time = parseInstant(text);
  if (!Number.isNaN(time)) return time;
  throw refused(
    pointer,
    text,
    'is not a valid RFC 3339 time',
    'Send one such as 2026-11-22T00:00:00Z.',
  );
}

function refused(
  pointer: string,
  value: string | null | undefined,
  message: string,
  remediation: string,
): ApiError {
  return badRequest({
    location: 'query',
    pointer,
    message,
    remediation,
    value: value ?? undefined,
  });
}
