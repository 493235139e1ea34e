const firstPauseMs = 500;
const maxPauseMs = 8_000;
/** Statuses after which the same request may succeed a moment later. */
const passing = new Set([429, 502, 503, 504]);

/**
 * True if a call may be sent again after a status, or after no response. Of a call that may have had an effect, only one that was refused
 * because there were too many is: nothing was done for it.
 */
export function maySendAgain(status: number | undefined, isRepeatable: boolean): boolean {
  if (status === undefined) return isRepeatable;
  return passing.has(status) && (isRepeatable || status === 429);
}

/**
 * Returns how long to wait before the next attempt, in milliseconds: what `Retry-After` says, in seconds or as a date; otherwise twice as long
 * after each attempt, by chance up to a half shorter, so that many callers do not come back together.
 */
export function pauseMs(attempt: number, retryAfter: string | null, now = Date.now()): number {
  const asked = retryAfter === null ? undefined : millisecondsOf(retryAfter, now);
  if (asked !== undefined) return asked;
  // The package has no source of random numbers of ours, and nothing depends on these.
  // eslint-disable-next-line no-restricted-syntax
  const chance = Math.random();
  return Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (1 - chance / 2);
}

function millisecondsOf(retryAfter: string, now: number): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Waits. @throws the reason of the signal when it is aborted */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    }
  });
}
