import { conflict } from '#contract';
import type { Credential, Transaction } from '#store';

/**
 * Refuses to delete a credential that an integration or a webhook uses.
 * @throws ApiError 409 that names up to three of them
 */
export async function refuseWhenUsed(tx: Transaction, credential: Credential): Promise<void> {
  const users = await tx.query<{ name: string }>(
    `select name from integrations where organization_id = $1 and account_id is not distinct from $2
       and position($3 in provider_config::text) > 0
     union all select name from organization_webhooks where organization_id = $1 and credential_id = $3
     limit 3`,
    [credential.organizationId, credential.accountId, credential.id],
  );
  if (users.length === 0) return;
  const kind = credential.ownerType === 'organization_webhook' ? 'webhook' : 'integration';
  throw conflict(
    `the credential is used by the ${kind} ${users.map(({ name }) => `"${name}"`).join(', ')}`,
    `Give the ${kind} another credential first, or delete it.`,
  );
}
