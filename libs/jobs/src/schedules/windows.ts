import type { Schedule } from './schedule-row.js';

/**
 * Increments read again what is up to so much older than the newest record that was read: providers show some records late, and their
 * clocks differ from each other. What was written already is left out (`seen-records.ts`).
 */
export const overlapMs = 5 * 60_000;
const dayMs = 24 * 60 * 60_000;

/** The bounds of a run: filters beside those of the job. */
export interface Window {
  kind: 'list' | 'increment' | 'snapshot' | 'backfill';
  filters: string[];
  from: Date | null;
}

/** Returns what the next run of a schedule reads, which begins at this time. */
export function nextWindow({ mode, timeField, highWater, event }: Schedule, now: Date): Window {
  if (mode === 'full_snapshot') return { kind: 'snapshot', filters: [], from: null };
  if (mode === 'list' || timeField === null || highWater === null)
    return { kind: 'list', filters: [], from: null };
  const from = new Date(highWater.getTime() - overlapMs);
  // No later run may come that reads a change to which a clock ahead of ours has given a time.
  const until = event === null ? now : new Date(now.getTime() + overlapMs);
  return { kind: 'increment', filters: filtersOf(timeField, from, until), from };
}

/** Returns the part of the past that is read next: the newest day that is left; undefined when nothing is. */
export function nextBackfill(schedule: Schedule): Window | undefined {
  const { timeField, backfillFrom, backfillUntil } = schedule;
  if (timeField === null || backfillFrom === null || backfillUntil === null) return undefined;
  if (backfillUntil <= backfillFrom) return undefined;
  const from = new Date(Math.max(backfillFrom.getTime(), backfillUntil.getTime() - dayMs));
  return { kind: 'backfill', filters: filtersOf(timeField, from, backfillUntil), from };
}

/** The end is not part of a window, so that no record is in two of them. */
function filtersOf(field: string, from: Date, until: Date): string[] {
  return [`${field}[gte]${from.toISOString()}`, `${field}[lt]${until.toISOString()}`];
}
