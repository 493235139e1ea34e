import type { Transaction } from '#store';
import { releaseHeld, stopWaiting } from './waiting-deliveries.js';

/**
 * Makes the receivers of an integration follow its `webhook_config` after a change of the integration: those whose address is gone are
 * deleted, and get nothing any more; those that are paused or disabled are tried again.
 */
export async function keepReceivers(
  tx: Transaction,
  integrationId: string,
  { urls, now }: { urls: readonly string[]; now: Date },
): Promise<void> {
  const rows = await tx.query<{ id: string; url: string; state: string }>(
    `select id, url, state from webhook_receivers where organization_id = $1 and integration_id = $2
     order by id for update`,
    [tx.scope.organizationId, integrationId],
  );
  for (const { id, url, state } of rows) {
    if (!urls.includes(url)) {
      await stopWaiting(tx, id, { status: 'failed', now });
      await tx.query('delete from webhook_receivers where organization_id = $1 and id = $2', [
        tx.scope.organizationId,
        id,
      ]);
    } else if (state !== 'active') {
      await tx.query(
        `update webhook_receivers set state = 'active', state_since = $3, state_reason = null,
           failing_since = null, failures = 0, resting_until = null
         where organization_id = $1 and id = $2`,
        [tx.scope.organizationId, id, now],
      );
      await releaseHeld(tx, id, now);
    }
  }
}
