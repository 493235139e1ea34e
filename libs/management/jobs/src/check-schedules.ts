import type { ManagementSchemas } from '#contract';
import { fault, parseDuration, readDuration } from '#management/core';

type Schedule = ManagementSchemas['OperationSchedule'];

const frequencies = { usual: '1h', least: '5m', most: '365d' };
const yearMs = 366 * 24 * 60 * 60 * 1_000;

/** Scheduled operations are those of the category, not more often than every five minutes. @throws ApiError 400 */
export function checkSchedules(
  category: string,
  schedules: readonly Schedule[] | null | undefined,
  now: Date,
): void {
  for (const [index, schedule] of (schedules ?? []).entries()) {
    const at = `/scheduled_operations/${index}`;
    if (!schedule.operation.startsWith(`${category}_`))
      throw fault(`${at}/operation`, `is no operation of ${category}`, {
        value: schedule.operation,
        remediation: `Schedule one that begins with ${category}_.`,
      });
    readDuration(schedule.frequency.value, `${at}/frequency/value`, frequencies);
    checkBackfill(`${at}/backfill_from_time`, schedule.backfill_from_time, now);
  }
}

function checkBackfill(pointer: string, text: string | null | undefined, now: Date): void {
  if (!text) return;
  const back = parseDuration(text) ?? now.getTime() - timeOf(text);
  if (Number.isNaN(back))
    throw fault(pointer, 'is no time', {
      value: text,
      remediation: 'Write a time such as 2026-01-31T00:00:00Z, or how long ago, such as 7d.',
    });
  if (back < 0 || back > yearMs)
    throw fault(pointer, back < 0 ? 'is still to come' : 'is longer than a year ago', {
      value: text,
      remediation: 'Name a time of the last year.',
    });
}

function timeOf(text: string): number {
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
}
