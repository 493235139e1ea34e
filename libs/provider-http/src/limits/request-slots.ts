import type { RequestBudget } from './permits.js';

/** Requests that were sent in one slot of time. */
export interface RequestSlot {
  /** Number of the slot since 1970. */
  at: number;
  used: number;
  /** Those of jobs among them. */
  jobs: number;
}

const slotsPerPeriod = 10;

/** Requests that are counted at once. */
export interface CountedRequests {
  count: number;
  isJob: boolean;
}

/**
 * Counts requests, so that no span of a period has more requests than the budget, wherever the provider begins its periods. The slots that
 * such a span touches are a tenth more than a period. Jobs may use half of what interactive calls leave, and one request at least; a refused
 * one is not counted, so that it takes nothing from those calls.
 * @returns the slots with the requests, or the milliseconds until there is room for them
 */
export function addRequests(
  slots: readonly RequestSlot[],
  { requests, periodMs }: RequestBudget,
  now: number,
  wanted: CountedRequests,
): { slots: RequestSlot[] } | { waitMs: number } {
  const slotMs = periodMs / slotsPerPeriod;
  const current = Math.floor(now / slotMs);
  const recent = slots.filter(({ at }) => at >= current - slotsPerPeriod);
  if (hasRoom(recent, requests, wanted)) {
    const last = recent.at(-1);
    const own = last?.at === current ? last : { at: current, used: 0, jobs: 0 };
    const others = recent.filter((slot) => slot !== own);
    const { count, isJob } = wanted;
    const [used, jobs] = [own.used + count, own.jobs + (isJob ? count : 0)];
    return { slots: [...others, { at: current, used, jobs }] };
  }
  const left = [...recent];
  let oldest = left.shift();
  while (left.length > 0 && !hasRoom(left, requests, wanted)) oldest = left.shift();
  const endsAt = ((oldest?.at ?? current) + slotsPerPeriod + 1) * slotMs;
  return { waitMs: Math.max(1, endsAt - now) };
}

function hasRoom(
  slots: readonly RequestSlot[],
  maxRequests: number,
  { count, isJob }: CountedRequests,
): boolean {
  let [used, jobs] = [0, 0];
  for (const slot of slots) {
    used += slot.used;
    jobs += slot.jobs;
  }
  const share = Math.max(1, Math.floor((maxRequests - (used - jobs)) / 2));
  return used + count <= maxRequests && (!isJob || jobs + count <= share);
}
