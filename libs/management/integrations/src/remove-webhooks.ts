import { removeLater } from '#outbox';
import type { Account, Integration, Transaction } from '#store';
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

/** Like removeWebhooks, for all integrations of an account, in the transaction that deletes the account. */
export async function removeWebhooksOf(
  tx: Transaction,
  catalog: ProviderCatalog,
  account: Account,
  now: Date,
): Promise<void> {
  const webhooks = await tx.integrationWebhooks.all({ accountId: account.id });
  const owners = new Set(webhooks.map(({ integrationId }) => integrationId));
  for (const integration of await tx.integrations.byIds([...owners]))
    await removeWebhooks(tx, catalog, integration, now);
}
