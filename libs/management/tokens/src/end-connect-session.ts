import { type Caller, unauthorized } from '#contract';
import { tokenQueries, type Transaction } from '#store';

/**
 * Ends the Connect session of the caller, if it has one, in the transaction of what the session is for: when that fails,
 * the session stays. Of two calls at once one gets 401.
 * @throws ApiError 401
 */
export async function endConnectSession(
  tx: Transaction,
  { connect, tokenId }: Caller,
): Promise<void> {
  if (!connect) return;
  if (!(await tokenQueries.end(tx, tokenId)))
    throw unauthorized('the token is unknown, expired or revoked', 'Start a new session.');
}
