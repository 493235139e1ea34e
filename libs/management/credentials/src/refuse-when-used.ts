import { conflict } from '#contract';
import { type Credential, credentialQueries, type Transaction } from '#store';

/**
 * Refuses to delete a credential that an integration or a webhook uses.
 * @throws ApiError 409 that names up to three of them
 */
export async function refuseWhenUsed(tx: Transaction, credential: Credential): Promise<void> {
  const users = await credentialQueries.listUsers(tx, credential);
  if (users.length === 0) return;
  const kind = credential.ownerType === 'organization_webhook' ? 'webhook' : 'integration';
  throw conflict(
    `the credential is used by the ${kind} ${users.map((name) => `"${name}"`).join(', ')}`,
    `Give the ${kind} another credential first, or delete it.`,
  );
}
