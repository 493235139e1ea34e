import { fault } from '#management/core';
import type { OrganizationWebhook, Transaction } from '#store';

const longestSecret = 1_024;

/** The secret under which deliveries will be signed. @throws ApiError 400 */
export function checkSecret({ value }: { value: string }): void {
  if (value.length === 0 || value.length > longestSecret)
    throw fault('/secret/value', `has ${value.length} characters`, {
      remediation: `Use 1 to ${longestSecret}; 32 random ones are hard to guess.`,
    });
}

/** The secret that signs a webhook's deliveries is one of its own credentials. @throws ApiError 400 */
export async function ownSecret(
  tx: Transaction,
  webhook: OrganizationWebhook,
  idOrName: string,
): Promise<string> {
  const found = await tx.credentials.find(idOrName, { ownerId: webhook.id });
  if (found === undefined)
    throw fault('/credential_id', 'names no credential of the webhook', {
      value: idOrName,
      remediation: `GET /v1/credentials/${webhook.id} lists them.`,
    });
  if (found.configType !== 'secret')
    throw fault('/credential_id', `the credential is of type ${found.configType}, not secret`, {
      value: idOrName,
      remediation: `POST /v1/credentials/${webhook.id} makes one of type secret.`,
    });
  return found.id;
}
