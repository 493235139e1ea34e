import { type Caller, unauthorized } from '#contract';
import type { ManagementContext } from '#management/core';
import type { Token, TokenRenewal, Transaction } from '#store';
import type { PairSecrets } from './token-record.js';

/** Time in which a retry with a used refresh secret gets the same pair again: clients retry if they get no response. */
const retryMs = 30_000;

/**
 * Returns the pair that this refresh secret was given a moment ago. However often a client repeats its refresh, it gets
 * the same new pair, and its first secret stays in a slot.
 * @throws ApiError 401 for a secret that was replaced during the call
 */
export function repeatRenewal(
  context: ManagementContext,
  caller: Caller,
  token: Token,
): PairSecrets | undefined {
  const { refreshHash } = caller;
  if (refreshHash === undefined) return undefined;
  const renewal = renewalFor(token, refreshHash, context.clock.now());
  if (renewal !== undefined)
    return JSON.parse(
      context.sealer.open(token.organizationId, renewal.sealed).reveal(),
    ) as PairSecrets;
  if ([token.primaryPair, token.secondaryPair].some((pair) => pair?.refreshHash === refreshHash))
    return undefined;
  throw unauthorized('the refresh secret was just replaced', 'Use the pair that replaced it.');
}

/**
 * Stores the encrypted pair for retries. A renewal with an access secret is not stored, because a retry looks like a
 * second call.
 */
export async function remember(
  context: ManagementContext,
  tx: Transaction,
  caller: Caller,
  token: Token,
  secrets: PairSecrets,
): Promise<TokenRenewal | null> {
  const { refreshHash } = caller;
  if (refreshHash === undefined) return null;
  return {
    by: refreshHash,
    until: new Date(context.clock.now() + retryMs).toISOString(),
    sealed: await context.seal(tx, token.organizationId, JSON.stringify(secrets)),
  };
}

/** The renewal that is repeated for a secret. */
export function renewalFor(
  { renewal }: Token,
  hash: string,
  now: number,
): TokenRenewal | undefined {
  return renewal?.by === hash && Date.parse(renewal.until) > now ? renewal : undefined;
}
