import type { MailPace } from '#store';

/** How long further changes are waited for after the first one, so that an outage of a provider makes one mail. */
export const gatherMs = 60_000;
export const minGapMs = 5 * 60_000;
export const maxGapMs = 60 * 60_000;

/** Returns the least time from a mail that is made now to the next one: twice as long as before while one follows the other. */
export function nextGapMs({ mailedAt, gapMs }: MailPace, now: number): number {
  const isQuiet = mailedAt === null || now - mailedAt.getTime() > 2 * gapMs + gatherMs;
  return isQuiet ? minGapMs : Math.min(gapMs * 2, maxGapMs);
}
