import { type Caller, unauthorized } from '#contract';
import type { ManagementContext } from '#management/core';
import type { Token, TokenRenewal, Transaction } from '#store';
import type { PairSecrets } from './token-record.js';

/** How long a refresh secret that was used gets the same pair again: clients retry what they have no answer to. */
const retryMs = 30_000;

/**
 * What a retry gets: the pair that this refresh secret was given a moment ago. However often, and at whatever moment, a
 * client repeats its refresh, it holds the one new pair, and its first secret stays in a slot.
 * @throws ApiError 401 for a secret that was replaced while the call was on its way
 */
export function repeated(
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
  throw unauthorized(
    'the refresh secret was replaced at this moment',
    'Use the pair that replaced it.',
  );
}

/** Remembers, sealed, what a refresh secret gets. Who renews by an access token has no retry to be told from a second call. */
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

/** The renewal a secret may ask for again. */
export function renewalFor(
  { renewal }: Token,
  hash: string,
  now: number,
): TokenRenewal | undefined {
  return renewal?.by === hash && Date.parse(renewal.until) > now ? renewal : undefined;
}
