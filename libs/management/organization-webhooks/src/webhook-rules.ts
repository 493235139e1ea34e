import { fault } from '#management/core';
import type { OrganizationWebhook, Transaction } from '#store';

const maxSecretLength = 1_024;

/** Checks the secret that deliveries will be signed with. @throws ApiError 400 */
export function checkSecret({ value }: { value: string }): void {
  if (value.length === 0 || value.length > maxSecretLength)
    throw fault('/secret/value', `has ${value.length} characters`, {
      remediation: `Use 1 to ${maxSecretLength}; 32 random ones are hard to guess.`,
    });
}

/** Checks that the secret that signs deliveries is a credential of the webhook. @throws ApiError 400 */
export async function ownSecret(
  tx: Transaction,
  webhook: OrganizationWebhook,
  idOrName: string,
): Promise<string> {
  const found = await tx.credentials.find(idOrName, { ownerId: webhook.id });
  if (found === undefined)
    throw fault('/credential_id', 'is not a credential of the webhook', {
      value: idOrName,
      remediation: `GET /v1/credentials/${webhook.id} lists them.`,
    });
  if (found.configType !== 'secret')
    throw fault('/credential_id', `the credential is of type ${found.configType}, not secret`, {
      value: idOrName,
      remediation: `POST /v1/credentials/${webhook.id} creates one of type secret.`,
    });
  return found.id;
}
