import type { ManagementContext } from '#management/core';
import { inherit, removalsOf, removeLater, takeRemovals } from '#outbox';
import type { Account, Integration, Reader, Transaction } from '#store';
import { describeIntegration, type Described } from './resolve-integration.js';

type Removals = ReturnType<typeof removalsOf>;
type Parts = Described & { context: Pick<ManagementContext, 'now' | 'sealer'> };

/**
 * Has the webhooks of an integration deleted at the provider, in the transaction that deletes the integration. The worker calls the
 * provider, which may be slow or refuse.
 */
export async function removeWebhooks(
  tx: Transaction,
  parts: Parts,
  integration: Integration,
): Promise<void> {
  await removeLater(tx, await removalsOfIntegration(tx, parts, integration), parts.context.now());
}

/** Like removeWebhooks, for all integrations of an account, in the transaction that deletes the account. */
export async function removeWebhooksOf(
  tx: Transaction,
  parts: Parts,
  account: Account,
): Promise<void> {
  await removeLater(
    tx,
    await removalsWithin(tx, parts, { accountId: account.id }),
    parts.context.now(),
  );
}

/**
 * Like removeWebhooks, for all integrations of a sub organization, in the transaction of its parent that deletes it. The parent has the
 * removals until they are done, also those that the sub organization had not done yet, and their failures in its audit trail.
 */
export async function removeWebhooksOfSubOrganization(
  tx: Transaction,
  parts: Parts,
  organizationId: string,
): Promise<void> {
  const removals = await tx.inOrganization(organizationId, async (inside) => [
    ...(await takeRemovals(inside)),
    ...(await removalsWithin(inside, parts, {})),
  ]);
  await removeLater(tx, inherit(removals, tx.scope.organizationId), parts.context.now());
}

async function removalsWithin(
  tx: Reader,
  parts: Parts,
  filter: { accountId?: string },
): Promise<Removals> {
  const webhooks = await tx.integrationWebhooks.all(filter);
  const owners = new Set(webhooks.map(({ integrationId }) => integrationId));
  const removals: Removals = [];
  for (const integration of await tx.integrations.byIds([...owners]))
    removals.push(...(await removalsOfIntegration(tx, parts, integration)));
  return removals;
}

async function removalsOfIntegration(
  tx: Reader,
  parts: Parts,
  integration: Integration,
): Promise<Removals> {
  const webhooks = await tx.integrationWebhooks.all({ integrationId: integration.id });
  if (webhooks.every(({ providerId }) => providerId === null)) return [];
  const { credentials, ...resolved } = await describeIntegration(tx, parts, integration);
  const kept = Object.entries(credentials).map(
    ([id, one]) => [id, { ...one, isStored: false }] as const, // no longer, so no access token can belong to it
  );
  const gone = { ...resolved, credentials: Object.fromEntries(kept) };
  return removalsOf({ ...gone, chains: [], additionalMappings: [] }, webhooks);
}
