import type { Reader, Transaction } from '../transaction.js';

/** Deletes the credentials of a record that is deleted. */
export async function deleteOfOwner(tx: Transaction, ownerId: string): Promise<void> {
  await tx.query('delete from credentials where organization_id = $1 and owner_id = $2', [
    tx.scope.organizationId,
    ownerId,
  ]);
}

/** Deletes the credentials that were created for an integration, except those in use. */
export async function deleteUnused(
  tx: Transaction,
  ownerId: string,
  usedIds: readonly string[],
): Promise<void> {
  await tx.query(
    'delete from credentials where organization_id = $1 and owner_id = $2 and managed and id <> all($3::text[])',
    [tx.scope.organizationId, ownerId, usedIds],
  );
}

export async function deleteByIds(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query('delete from credentials where organization_id = $1 and id = any($2)', [
    tx.scope.organizationId,
    ids,
  ]);
}

/** Lists the names of up to three integrations and webhooks that use a credential. */
export async function listUsers(
  tx: Reader,
  { id, accountId }: { id: string; accountId: string | null },
): Promise<string[]> {
  const users = await tx.query<{ name: string }>(
    `select name from integrations where organization_id = $1 and account_id is not distinct from $2
       and position($3 in provider_config::text) > 0
     union all select name from organization_webhooks where organization_id = $1 and credential_id = $3
     limit 3`,
    [tx.scope.organizationId, accountId, id],
  );
  return users.map(({ name }) => name);
}

/** Lists the names of the OAuth applications of an integration point. */
export async function listOAuthClients(tx: Reader, integrationPointId: string): Promise<string[]> {
  const clients = await tx.query<{ name: string }>(
    `select name from credentials where organization_id = $1 and owner_id = $2 and config_type = 'o_auth_client'`,
    [tx.scope.organizationId, integrationPointId],
  );
  return clients.map(({ name }) => name);
}

/** Deletes the keys that encrypt the secrets of an account. */
export async function deleteDataKeys(tx: Transaction, accountId: string): Promise<void> {
  for (const table of ['data_keys', 'domain_data_keys'])
    await tx.query(`delete from ${table} where owner_id = $1`, [accountId]);
}
