const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The longest wait that a receiver can ask for. */
export const maxRetryAfterMs = 24 * hourMs;

/** The waits after the first failure, the second, …; the last one repeats. */
const waitsMs = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  8 * hourMs,
];
/** Waits are longer or shorter by up to this part, so that deliveries that failed together are not repeated together. */
const jitter = 0.2;

export interface FailedDelivery {
  /** Failures so far, with this one. */
  failures: number;
  /** Epoch milliseconds after which no attempt is made. */
  expiresAt: number;
  /** The wait that the receiver asked for, in milliseconds. */
  retryAfterMs?: number | undefined;
}

/**
 * Returns when a delivery is tried again, in epoch milliseconds; undefined if its time is over. The last attempt is made when the
 * time ends.
 * @param random between 0 and 1
 */
export function nextAttemptAt(
  { failures, expiresAt, retryAfterMs = 0 }: FailedDelivery,
  now: number,
  random: number,
): number | undefined {
  if (now >= expiresAt) return undefined;
  const wait = waitsMs[Math.min(failures, waitsMs.length) - 1] ?? 0;
  const jittered = wait * (1 - jitter + 2 * jitter * random);
  return Math.min(now + Math.max(jittered, Math.min(retryAfterMs, maxRetryAfterMs)), expiresAt);
}
