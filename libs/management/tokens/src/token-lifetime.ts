import { type Caller, unauthorized } from '#contract';
import { type Token, tokenQueries, type Transaction } from '#store';

/**
 * Returns when the calling token expires: no token that it creates may expire later. A session stands for its member,
 * who may log on again, so tokens that it creates expire with the member.
 * @throws ApiError 401 if the token was deleted during the call
 */
export async function endOfMaker(tx: Transaction, { tokenId }: Caller): Promise<Date> {
  // Not through tx.tokens: callers who are limited to accounts do not find tokens of the organization, such as their
  // own.
  const ends = await tokenQueries.findEnd(tx, tokenId);
  if (ends === undefined)
    throw unauthorized('the token was deleted', 'Use another token, or log on again.');
  return ends;
}

/**
 * Returns when a token that is reset must expire: the caller who resets it gets new secrets, except for its own token.
 */
export async function endOfReset(
  tx: Transaction,
  caller: Caller,
  token: Token,
): Promise<Date | null> {
  if (isOwnPair(token)) return null;
  return token.id === caller.tokenId ? token.endsBy : await endOfMaker(tx, caller);
}

/** True for the pair that an integration is created with, which belongs to the integration whoever created it. */
function isOwnPair({ ownerType, tokenType }: Token): boolean {
  return ownerType === 'integration' && tokenType === 'default';
}

/** The earlier of the two; a token without a limit of its own expires when it expires. */
export function earlier(time: Date, limit: Date | null): Date {
  return limit !== null && limit < time ? limit : time;
}
