import { createHash } from 'node:crypto';
import type { SchedulePlan } from './read-schedule.js';

/** Schedules that were created together begin within this time of each other, or within their period if it is shorter. */
const maxJitterMs = 15 * 60_000;

/** Returns the time of the first run: soon after the creation, at a moment that depends on the id alone. */
export function firstSlot(id: string, createdAt: Date, periodMs: number): Date {
  const part = createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
  return new Date(createdAt.getTime() + Math.floor(part * Math.min(periodMs, maxJitterMs)));
}

/** Returns the time of the first run of a schedule. One that events start runs at once: what is reported later follows on from there. */
export function firstRunOf(
  id: string,
  createdAt: Date,
  { periodMs, event }: Pick<SchedulePlan, 'periodMs' | 'event'>,
): Date {
  return event === undefined ? firstSlot(id, createdAt, periodMs) : createdAt;
}

/** Returns the first time after another one that is a number of periods away from the anchor, before or after it. */
export function nextSlot(anchor: Date, periodMs: number, after: Date): Date {
  const periods = Math.floor((after.getTime() - anchor.getTime()) / periodMs) + 1;
  return new Date(anchor.getTime() + periods * periodMs);
}
