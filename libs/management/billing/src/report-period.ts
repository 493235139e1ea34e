import type { ManagementSchemas } from '#contract';

export type BillingMonth = ManagementSchemas['BillingMonth'];

/** Period of a report: a month that is over, or the current one, which is `partial`. */
export interface Period {
  month: BillingMonth;
  start: Date;
  /** Start of the next period. */
  end: Date;
}

const names = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as BillingMonth[];

/** Lists the months of the last year, oldest first, from `since` on, in UTC. A name identifies one month. */
export function periods(now: Date, since: Date): Period[] {
  const begin = (back: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
  return Array.from({ length: names.length + 1 }, (_, index) => {
    const back = names.length - index;
    const start = begin(back);
    const month = back === 0 ? 'partial' : (names[start.getUTCMonth()] ?? 'partial');
    return { month, start, end: begin(back - 1) };
  }).filter(({ end }) => end > since);
}

/** `2026-11`. */
export function yearAndMonth({ start }: Period): string {
  return start.toISOString().slice(0, 7);
}
