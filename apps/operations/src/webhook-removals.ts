import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Bus } from '#bus';
import { ApiError } from '#contract';
import { endRemoval, findRemoval, removeWebhook, type WebhookRemoval } from '#outbox';
import { handleTask, type TaskHandler } from '#queue';
import type { Sealer } from '#secrets';
import { type Store, type Transaction, wholeOrganization } from '#store';
import { recordAlarm } from './record-work.js';

const log = new Logger('webhooks');
const budgetMs = 60_000;

/**
 * Deletes webhooks of deleted integrations at their providers. One that the provider refuses, or that cannot be deleted in all attempts,
 * stays there: the audit trail says which one, and why.
 */
export function webhookRemovals({
  store,
  bus,
  sealer,
}: {
  store: Store;
  bus: Bus;
  sealer: Sealer;
}): TaskHandler {
  return handleTask(removeWebhook, async ({ organizationId, id }, { attempt, maxAttempts }) => {
    const scope = wholeOrganization(organizationId);
    const removal = await store.read(scope, (tx) => findRemoval(tx, id));
    if (removal === undefined) return;
    try {
      const deadline = Date.now() + budgetMs;
      const domain = sealer.sealingDomain(removal.integration.category);
      await bus.call('hooks.unregister', removal, { requestId: randomUUID(), deadline, domain });
    } catch (error) {
      const isLast = attempt >= maxAttempts || isRefusal(error);
      const reason = error instanceof Error ? error.message : String(error);
      const { id: integrationId } = removal.integration;
      log.warn({ message: 'webhook not deleted', integration_id: integrationId, reason, isLast });
      if (!isLast) throw error;
      await store.write(scope, async (tx) => {
        await recordLeft(tx, removal, reason);
        await endRemoval(tx, id);
      });
      return;
    }
    await store.write(scope, (tx) => endRemoval(tx, id));
  });
}

/** True for errors of the provider that another attempt would get again. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status, options } = error;
  const answered = Number(options.context?.provider_details?.['status'] ?? status);
  return status === 501 || (answered >= 400 && answered < 500 && answered !== 429);
}

/** Records in the audit trail that a provider still has a webhook, with the place that it was deleted from. */
async function recordLeft(
  tx: Transaction,
  {
    integration: { accountId, id },
    webhook: { providerId, project, subOrganizationId },
  }: WebhookRemoval,
  reason: string,
): Promise<void> {
  const place =
    subOrganizationId === undefined
      ? {
          path: `/v1/integrations/${accountId}/${id}`,
          account_id: accountId,
          integration_id: id,
        }
      : { path: `/v1/suborgs/${subOrganizationId}` }; // its accounts are not of this organization
  await recordAlarm(tx, {
    ...place,
    method: 'DELETE',
    code: 'webhook_left_at_provider',
    response: `the webhook ${providerId} of ${project} is still at the provider: ${reason}`,
  });
}
