import { type Caller, unauthorized } from '#contract';
import type { ManagementContext } from '#management/core';
import type { Transaction } from '#store';

/**
 * Ends the Connect session of the caller, if it has one, in the transaction of what the session is for: when that fails,
 * the session stays. The audit trail says beside the call whose session it was. Of two calls at once one gets 401.
 * @throws ApiError 401
 */
export async function endConnectSession(
  context: ManagementContext,
  tx: Transaction,
  { connect, organizationId, tokenId }: Caller,
): Promise<void> {
  if (!connect) return;
  const ended = await tx.query(
    'with ended as (delete from tokens where organization_id = $1 and id = $2 returning id) select id from ended',
    [organizationId, tokenId],
  );
  if (ended.length === 0)
    throw unauthorized('the token is unknown, expired or revoked', 'Start a new session.');
  context.recordEvent('connect_session_used', {
    data: {
      session_id: tokenId,
      ...(connect.endUserId === undefined ? {} : { end_user_id: connect.endUserId }),
    },
  });
  await tx.notify('token.changed', { tokenIds: [tokenId] });
}
