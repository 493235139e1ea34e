import { type Caller, unauthorized } from '#contract';
import type { Token, Transaction } from '#store';

/**
 * Returns when the calling token expires: no token that it creates may expire later. A session stands for its member,
 * who may log on again, so tokens that it creates expire with the member.
 * @throws ApiError 401 if the token was deleted during the call
 */
export async function endOfMaker(
  tx: Transaction,
  { organizationId, tokenId }: Caller,
): Promise<Date> {
  // Not through tx.tokens: callers who are limited to accounts do not find tokens of the organization, such as their
  // own.
  const [maker] = await tx.query<{ ends: Date }>(
    `select case when t.token_type = 'logon' then m.expires else t.expires end as ends
       from tokens t left join members m on m.id = t.member_id
       where t.organization_id = $1 and t.id = $2`,
    [organizationId, tokenId],
  );
  if (maker === undefined)
    throw unauthorized('the token was deleted', 'Use another token, or log on again.');
  return maker.ends;
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
