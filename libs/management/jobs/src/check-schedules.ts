import type { ManagementSchemas } from '#contract';
import { fault, parseDuration, readDuration } from '#management/core';

type Schedule = ManagementSchemas['OperationSchedule'];

const frequencies = { default: '1h', min: '5m', max: '365d' };
const yearMs = 366 * 24 * 60 * 60 * 1_000;

/** Checks that scheduled operations are of the domain and run every five minutes at most. @throws ApiError 400 */
export function checkSchedules(
  category: string,
  schedules: readonly Schedule[] | null | undefined,
  now: Date,
): void {
  for (const [index, schedule] of (schedules ?? []).entries()) {
    const at = `/scheduled_operations/${index}`;
    if (!schedule.operation.startsWith(`${category}_`))
      throw fault(`${at}/operation`, `is not an operation of ${category}`, {
        value: schedule.operation,
        remediation: `Schedule an operation that begins with ${category}_.`,
      });
    readDuration(schedule.frequency.value, `${at}/frequency/value`, frequencies);
    checkBackfill(`${at}/backfill_from_time`, schedule.backfill_from_time, now);
  }
}

function checkBackfill(pointer: string, text: string | null | undefined, now: Date): void {
  if (!text) return;
  const back = parseDuration(text) ?? now.getTime() - timeOf(text);
  if (Number.isNaN(back))
    throw fault(pointer, 'is not a valid time', {
      value: text,
      remediation:
        'Write a time such as 2026-01-31T00:00:00Z, or a duration before now, such as 7d.',
    });
  if (back < 0 || back > yearMs)
    throw fault(pointer, back < 0 ? 'is in the future' : 'is more than a year ago', {
      value: text,
      remediation: 'Use a time of the last year.',
    });
}

function timeOf(text: string): number {
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
}
