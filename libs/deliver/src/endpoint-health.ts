import type { endpointQueries } from '#store';
import { maxRetryAfterMs } from './retry-schedule.js';
import type { AttemptResult } from './send-delivery.js';

/** After so long without a success an address is paused. */
export const pauseAfterMs = 24 * 60 * 60_000;
/** So many failures in a row make an address rest. */
const maxFailuresInRow = 3;
const restPerFailureMs = 1_000;
const maxRestMs = 5 * 60_000;

/** State and recent failures of an address that receives deliveries. */
export type EndpointHealth = endpointQueries.EndpointHealthRow;

/** The result of an attempt, and when it ended. */
export interface Ended {
  result: AttemptResult;
  endedAt: Date;
}

/**
 * Returns the health of an address after some attempts, in the order in which they ended. 410 disables it, a day without a success
 * pauses it; an address that fails, or asks for a wait, rests.
 */
export function judgeEndpoint(
  before: EndpointHealth,
  attempts: readonly Ended[],
  now: Date,
): EndpointHealth {
  const after: EndpointHealth = { ...before, restingUntil: null };
  let asked = 0;
  for (const { result, endedAt } of attempts) {
    if (result.reason === undefined) {
      after.failures = 0;
      after.failingSince = null;
      continue;
    }
    after.failures += 1;
    after.failingSince ??= endedAt;
    asked = Math.max(asked, Math.min(result.retryAfterMs ?? 0, maxRetryAfterMs));
  }
  if (before.state !== 'active') return after;
  const change = (state: 'paused' | 'disabled', stateReason: string): EndpointHealth => ({
    ...after,
    state,
    stateReason,
    stateSince: now,
  });
  if (attempts.some(({ result }) => result.reason === 'status_410'))
    return change('disabled', 'the receiver answered 410 Gone');
  if (after.failingSince !== null && now.getTime() - after.failingSince.getTime() >= pauseAfterMs)
    return change(
      'paused',
      `every attempt has failed for a day; the last one: ${attempts.at(-1)?.result.error ?? 'unknown'}`,
    );
  const rest =
    after.failures >= maxFailuresInRow ? Math.min(after.failures * restPerFailureMs, maxRestMs) : 0;
  const wait = Math.max(rest, asked);
  return { ...after, restingUntil: wait > 0 ? new Date(now.getTime() + wait) : null };
}
