import type { GoneWebhook, ResolvedIntegration } from '#bus';
import { defineTask, enqueue } from '#queue';
import { callsOf } from './calls-of.js';
import type { IntegrationWebhook, Reader, Transaction } from '#store';

/** Deletes the webhook of a deleted integration at its provider. Tried for an hour and a half: as long, its credential is kept. */
export const removeWebhook = defineTask<{ organizationId: string; id: string }>('webhooks.remove', {
  maxAttempts: 9,
});

/** A webhook of a deleted integration that its provider still has. */
export interface WebhookRemoval {
  integration: ResolvedIntegration;
  webhook: GoneWebhook & {
    /** The sub organization that it belonged to, which is gone. */
    subOrganizationId?: string;
  };
}

/** A removal with its id, which is the id that the webhook had. */
type NewRemoval = WebhookRemoval & { id: string };

/** The removals of webhooks of an integration. */
export function removalsOf(
  integration: ResolvedIntegration,
  webhooks: readonly IntegrationWebhook[],
): NewRemoval[] {
  return webhooks.flatMap(({ id, providerId, project, token, secret }) =>
    providerId === null // made by hand: there is nothing to call
      ? []
      : [{ id, integration, webhook: { providerId, project, token, secret } }],
  );
}

/**
 * Has webhooks deleted at their provider once the transaction that deletes their integration is committed. The removals belong to the
 * organization of the transaction.
 */
export async function removeLater(
  tx: Transaction,
  removals: readonly NewRemoval[],
  now: Date,
): Promise<void> {
  const { organizationId } = tx.scope;
  for (const { id, integration, webhook } of removals) {
    await tx.query(
      `insert into webhook_removals (id, organization_id, integration, webhook, created_at)
       values ($1, $2, $3, $4, $5)`,
      [id, organizationId, JSON.stringify(integration), JSON.stringify(webhook), now],
    );
    await enqueue(
      tx,
      removeWebhook,
      { organizationId, id },
      { key: id, queue: callsOf(organizationId) },
    );
  }
}

/** Gives removals of a sub organization to its parent, in whose name the provider is called then. */
export function inherit(removals: readonly NewRemoval[], parentId: string): NewRemoval[] {
  return removals.map(({ id, integration, webhook }) => ({
    id,
    integration: { ...integration, organizationId: parentId },
    webhook: { ...webhook, subOrganizationId: integration.organizationId },
  }));
}

/** Takes away the removals that a sub organization still has, so that its parent can have them before it is deleted. */
export async function takeRemovals(tx: Transaction): Promise<NewRemoval[]> {
  return await tx.query<NewRemoval>(
    `with taken as (delete from webhook_removals where organization_id = $1 returning id, integration, webhook)
     select * from taken`,
    [tx.scope.organizationId],
  );
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
    tx.scope.organizationId,
    id,
  ]);
}
