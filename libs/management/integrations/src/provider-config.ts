import type { Credential, Integration, Transaction } from '#store';
import {
  type CredentialOwner,
  fault,
  formatPointer,
  insertCredential,
  type ManagementContext,
} from '#management/shared';
import { credentialSlots, fillSlots } from './credential-slots.js';

/**
 * A provider configuration as it is stored: what was inline becomes credentials of the integration, which go with it; what names
 * a credential must name one of the account, or one the integration has already.
 * @returns the configuration without secrets, and the credentials that were made.
 */
export async function storeSecrets(
  context: ManagementContext,
  tx: Transaction,
  owner: CredentialOwner,
  config: Record<string, unknown>,
  name: string,
): Promise<{ config: Record<string, unknown>; created: Credential[] }> {
  const created: Credential[] = [];
  const filled: Parameters<typeof fillSlots>[1][number][] = [];
  for (const slot of credentialSlots(config)) {
    if (slot.kind === 'stored') {
      filled.push({ slot, id: (await storedCredential(tx, owner, slot)).id });
      continue;
    }
    const credential = await insertCredential(context, tx, owner, {
      fullname: `${name} ${slot.path.at(-1) ?? 'credential'}`,
      config: slot.config,
      managed: true,
    });
    created.push(credential);
    filled.push({ slot, id: credential.id });
  }
  return { config: fillSlots(config, filled), created };
}

async function storedCredential(
  tx: Transaction,
  owner: CredentialOwner,
  slot: { path: string[]; reference: string; credentialType: string },
): Promise<Credential> {
  const pointer = `/provider_config${formatPointer(slot.path)}/value`;
  const found = await tx.credentials.find(slot.reference, { accountId: owner.accountId });
  if (found === undefined || (found.ownerType !== 'account' && found.ownerId !== owner.id))
    throw fault(pointer, 'names no credential of the account', {
      value: slot.reference,
      remediation: `GET /v1/credentials/${owner.accountId} lists them.`,
    });
  if (found.configType !== slot.credentialType)
    throw fault(
      pointer,
      `the credential is of type ${found.configType}, here ${slot.credentialType} is needed`,
      {
        value: slot.reference,
      },
    );
  return found;
}

/** Removes the credentials that were made for an integration and that its configuration does not name any more. */
export async function dropUnusedSecrets(tx: Transaction, integration: Integration): Promise<void> {
  const used = credentialSlots(integration.providerConfig).flatMap((slot) =>
    slot.kind === 'stored' ? slot.reference : [],
  );
  await tx.query(
    'delete from credentials where organization_id = $1 and owner_id = $2 and managed and id <> all($3::text[])',
    [integration.organizationId, integration.id, used],
  );
}
