import { badRequest, parseDuration } from '#contract';
import { type Fields, parseInstant } from '#query';
import type { JobSchedule } from '#store';
import { checkRunLimits } from '../run-limits.js';
import { eventRetryMs } from './event-schedules.js';
import { findTimeField, type TimeField } from './time-field.js';

const minuteMs = 60_000;
const minPeriodMs = 5 * minuteMs;
const maxPeriodMs = 365 * 24 * 60 * minuteMs;
const maxBackfillMs = 366 * 24 * 60 * minuteMs;

/** Whether each run reads everything, what is new, or everything between two marks. */
export type ScheduleMode = 'list' | 'incremental' | 'full_snapshot';

/** A schedule that was checked. */
export interface SchedulePlan {
  settings: JobSchedule;
  periodMs: number;
  /** The event that starts its runs, of one that does not run by the clock. */
  event?: string;
  mode: ScheduleMode;
  /** The field that increments are bounded by. */
  time?: TimeField;
  /** Where the past begins that is read besides; only of incremental ones, as the others read all there is. */
  backfillFrom?: Date;
}

export interface ScheduleContext {
  operation: string;
  /** The fields that the list can be filtered by; those of the contract when absent. */
  fields?: Fields | undefined;
  /** The events that the provider reports; absent for a schedule of a point. */
  events?: readonly string[] | undefined;
  now: Date;
  /** True for a schedule of a point: what its fields are is known when it is copied. */
  isTemplate?: boolean;
  /** JSON Pointer of the schedule in the body. */
  pointer: string;
}

/** Reads a schedule. @throws ApiError 400 that names the place */
export function readSchedule(settings: JobSchedule, context: ScheduleContext): SchedulePlan {
  const { operation, fields, now, pointer } = context;
  checkRunLimits(settings.run_limits, `${pointer}/run_limits`);
  const when = readFrequency(settings.frequency, context);
  const backfillFrom = readBackfill(
    settings.backfill_from_time,
    `${pointer}/backfill_from_time`,
    now,
  );
  const { incremental_config: config } = settings;
  if (config?.mode !== 'incremental' || context.isTemplate)
    return { settings, ...when, mode: config?.mode ?? 'list' };
  const place = `${pointer}/incremental_config`;
  const time = findTimeField(operation, fields, config.time_filter_field, place);
  return { settings, ...when, mode: 'incremental', time, ...(backfillFrom && { backfillFrom }) };
}

function readFrequency(
  { type, value }: JobSchedule['frequency'],
  { events, isTemplate, pointer }: ScheduleContext,
): Pick<SchedulePlan, 'periodMs' | 'event'> {
  const place = `${pointer}/frequency/value`;
  if (type === 'periodic') return { periodMs: readPeriod(value, place) };
  if (!isTemplate && !events?.includes(value)) throw notReported(value, events ?? [], place);
  return { periodMs: eventRetryMs, event: value };
}

function notReported(value: string, events: readonly string[], pointer: string) {
  const periodic = 'a periodic frequency, such as 1h';
  return badRequest({
    location: 'body',
    pointer,
    value,
    message:
      events.length === 0
        ? 'can never come: the provider of the integration has no webhooks'
        : 'can never come: the provider of the integration does not report it',
    remediation:
      events.length === 0
        ? `Use ${periodic}.`
        : `Use one of ${[...events].sort().join(', ')}, or ${periodic}.`,
  });
}

function readPeriod(text: string, pointer: string): number {
  const milliseconds = parseDuration(text) ?? 0;
  if (milliseconds >= minPeriodMs && milliseconds <= maxPeriodMs) return milliseconds;
  throw badRequest({
    location: 'body',
    pointer,
    value: text,
    message: 'must be a duration between 5m and 365d',
    remediation: 'Write a number and s, m, h or d, such as 1h.',
  });
}

function readBackfill(
  text: string | null | undefined,
  pointer: string,
  now: Date,
): Date | undefined {
  if (!text) return undefined;
  const back = parseDuration(text) ?? now.getTime() - parseInstant(text);
  const fault = (message: string, remediation: string) =>
    badRequest({ location: 'body', pointer, message, remediation, value: text });
  if (Number.isNaN(back))
    throw fault(
      'is not a valid time',
      'Write a time such as 2026-01-31T00:00:00Z, or a duration before now, such as 7d.',
    );
  if (back < 0) throw fault('is in the future', 'Use a time of the last year.');
  if (back > maxBackfillMs) throw fault('is more than a year ago', 'Use a time of the last year.');
  return new Date(now.getTime() - back);
}
