import { createHash } from 'node:crypto';
import type { ManagementContext } from '#management/core';
import { endGrants } from '#outbox';
import { type Credential, credentialQueries, grantQueries, type Transaction } from '#store';

/** Notes that people granted the token of a credential. */
export async function insertGrant(
  tx: Transaction,
  credentialId: string,
  grant: grantQueries.Grant,
  token: string,
): Promise<void> {
  await grantQueries.insert(tx, credentialId, grant, hashOf(token));
}

/**
 * Deletes the granted credentials among these that no integration names any more, and has their tokens given back.
 * @param keep where given, only grants that a new grant of the same provider replaces, which is one of these
 */
export async function dropGrants(
  context: Pick<ManagementContext, 'now'>,
  tx: Transaction,
  ids: readonly string[],
  keep?: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const unused = await grantQueries.listUnused(tx, ids, keep);
  if (unused.length === 0) return;
  await endGrants(tx, { credentialIds: unused }, context.now());
  await credentialQueries.deleteByIds(tx, unused);
}

/** Ends the grant of a credential whose configuration somebody replaces, before it is replaced. */
export async function endReplacedGrant(
  { now, sealer }: { now: Date; sealer: ManagementContext['sealer'] },
  tx: Transaction,
  { id, accountId, organizationId, sealed }: Credential,
  config: object,
): Promise<void> {
  const opened = sealer.open(accountId ?? organizationId, sealed).reveal();
  const before = JSON.parse(opened) as Record<string, unknown>;
  // Somebody who stores the same token wants to keep it.
  if (before['secret'] === (config as Record<string, unknown>)['secret'])
    await grantQueries.deleteOfCredential(tx, id);
  else await endGrants(tx, { credentialIds: [id] }, now);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
