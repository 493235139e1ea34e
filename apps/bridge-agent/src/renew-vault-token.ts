import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonLog } from '#observe/runtime';

const retryMs = 60_000;
const minWaitMs = 10_000;
/** Node fires timers of more than 24.8 days at once. */
const maxWaitMs = 86_400_000;

/**
 * Renews the token of Vault when half of its time is over, until it cannot be renewed any more or the signal aborts.
 * @see https://developer.hashicorp.com/vault/api-docs/auth/token#renew-a-token-self
 */
export async function keepRenewed(
  request: (method: 'POST', path: string) => Promise<unknown>,
  log: Pick<JsonLog, 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    let waitMs: number | undefined;
    try {
      waitMs = waitOf(await request('POST', 'auth/token/renew-self'));
    } catch (error) {
      if (signal.aborted) return;
      const { message, status } = error as Error & { status?: number };
      log.warn({ message: 'vault token not renewed', reason: message });
      // 400 of a token that cannot be renewed, 403 of one whose policies do not allow it or that has expired: another file may come.
      waitMs = status === 400 ? undefined : retryMs;
    }
    if (waitMs === undefined) return;
    const wait = sleep(waitMs, undefined, { signal, ref: false });
    if (!(await wait.then(() => true).catch(() => false))) return;
  }
}

/** Undefined for a token that does not expire, or that cannot be renewed. */
function waitOf(response: unknown): number | undefined {
  const { auth } = Object(response) as { auth?: { lease_duration?: number; renewable?: boolean } };
  const seconds = Number(auth?.lease_duration ?? 0);
  if (auth?.renewable !== true || !(seconds > 0)) return undefined;
  return Math.min(Math.max(minWaitMs, seconds * 500), maxWaitMs);
}
