import { removeLater } from '#outbox';
import type { Integration, Transaction } from '#store';
import type { ProviderCatalog } from './provider-catalog.js';
import { describeIntegration } from './resolve-integration.js';

/**
 * Has the webhooks of an integration deleted at the provider, in the transaction that deletes the integration. The worker calls the
 * provider, which may be slow or refuse.
 */
export async function removeWebhooks(
  tx: Transaction,
  catalog: ProviderCatalog,
  integration: Integration,
  now: Date,
): Promise<void> {
  const webhooks = await tx.integrationWebhooks.all({ integrationId: integration.id });
  if (webhooks.every(({ providerId }) => providerId === null)) return;
  const { credentials, ...resolved } = await describeIntegration(tx, catalog, integration);
  const kept = Object.entries(credentials).map(
    ([id, one]) => [id, { ...one, isStored: false }] as const, // no longer, so no access token can belong to it
  );
  const gone = { ...resolved, credentials: Object.fromEntries(kept) };
  await removeLater(tx, { ...gone, chains: [], additionalMappings: [] }, webhooks, now);
}
