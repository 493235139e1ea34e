import type { GoneWebhook, ResolvedIntegration } from '#bus';
import { defineTask, enqueue } from '#queue';
import type { IntegrationWebhook, Reader, Transaction } from '#store';

/** Deletes the webhook of a deleted integration at its provider. Tried for an hour and a half: as long, its credential is kept. */
export const removeWebhook = defineTask<{ organizationId: string; id: string }>('webhooks.remove', {
  maxAttempts: 9,
});

/** A webhook of a deleted integration that its provider still has. */
export interface WebhookRemoval {
  integration: ResolvedIntegration;
  webhook: GoneWebhook;
}

/** Has webhooks deleted at their provider once the transaction that deletes their integration is committed. */
export async function removeLater(
  tx: Transaction,
  integration: ResolvedIntegration,
  webhooks: readonly IntegrationWebhook[],
  now: Date,
): Promise<void> {
  const { organizationId } = tx.scope;
  for (const { id, providerId, project, token, secret } of webhooks) {
    if (providerId === null) continue; // made by hand: there is nothing to call
    const webhook: GoneWebhook = { providerId, project, token, secret };
    await tx.query(
      `insert into webhook_removals (id, organization_id, integration, webhook, created_at)
       values ($1, $2, $3, $4, $5)`,
      [id, organizationId, JSON.stringify(integration), JSON.stringify(webhook), now],
    );
    await enqueue(tx, removeWebhook, { organizationId, id }, { key: id });
  }
}

/** Returns a webhook that is to be deleted; undefined if it was. */
export async function findRemoval(tx: Reader, id: string): Promise<WebhookRemoval | undefined> {
  const [removal] = await tx.query<WebhookRemoval>(
    'select integration, webhook from webhook_removals where organization_id = $1 and id = $2',
    [tx.scope.organizationId, id],
  );
  return removal;
}

/** Forgets a webhook, with the credential that was kept for it. */
export async function endRemoval(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from webhook_removals where organization_id = $1 and id = $2', [
    ...[tx.scope.organizationId, id],
  ]);
}
