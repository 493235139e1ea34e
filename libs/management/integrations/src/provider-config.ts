import { type Credential, credentialQueries, type Integration, type Transaction } from '#store';
import { fault, faults, type ManagementContext } from '#management/core';
import {
  credentialFaults,
  type CredentialOwner,
  dropGrants,
  insertCredential,
} from '#management/credentials';
import { formatPointer } from '#patch';
import {
  type CredentialSlot,
  credentialSlots,
  fillSlots,
  storedCredentials,
} from './credential-slots.js';

/**
 * Stores the secrets of a provider configuration: inline credentials become credentials of the integration, which are
 * deleted with it. A reference must name a credential of the account, one that the integration has already, or by
 * `#/<n>` an inline one of the same configuration.
 * @returns the configuration without secrets, and the credentials that were created
 */
export async function storeSecrets(
  context: ManagementContext,
  tx: Transaction,
  owner: CredentialOwner,
  config: Record<string, unknown>,
  name: string,
): Promise<{ config: Record<string, unknown>; created: Credential[]; usesBridge: boolean }> {
  const created: Credential[] = [];
  let usesBridge = false;
  const filled: Parameters<typeof fillSlots>[1][number][] = [];
  const slots = credentialSlots(config);
  for (const slot of slots) {
    if (slot.kind === 'stored') continue;
    const wrong = credentialFaults(slot.config, `/provider_config${formatPointer(slot.path)}`, {
      awsRoles: context.awsRoles,
      owner: owner.accountId ?? tx.scope.organizationId,
    });
    if (wrong.length > 0) throw faults(wrong);
    const credential = await insertCredential(context, tx, owner, {
      fullname: `${name} ${slot.path.at(-1) ?? 'credential'}`,
      config: slot.config,
      managed: true,
    });
    created.push(credential);
    filled.push({ slot, id: credential.id });
  }
  for (const slot of slots) {
    if (slot.kind === 'inline') continue;
    const credential = inlineNumber.test(slot.reference)
      ? inlineCredential(created, slot)
      : await storedCredential(tx, owner, slot);
    usesBridge ||= credential.configType === 'bridge';
    filled.push({ slot, id: credential.id });
  }
  return { config: fillSlots(config, filled), created, usesBridge };
}

type StoredSlot = Extract<CredentialSlot, { kind: 'stored' }>;

/**
 * Resolves a reference to an inline credential, which has no id yet: `#/0` is the first inline credential of the
 * configuration.
 */
const inlineNumber = /^#\/(0|[1-9]\d{0,2})$/;

function inlineCredential(created: readonly Credential[], slot: StoredSlot): Credential {
  const found = created[Number(slot.reference.slice(2))];
  if (found === undefined)
    throw fault(
      pointerOf(slot),
      `is not an inline credential of the configuration, which has ${created.length}`,
      {
        value: slot.reference,
        remediation:
          'Count inline credentials from #/0 in the order of the configuration, or name a stored credential by its id.',
      },
    );
  return ofType(found, slot);
}

function pointerOf({ path }: StoredSlot): string {
  return `/provider_config${formatPointer(path)}/value`;
}

async function storedCredential(
  tx: Transaction,
  owner: CredentialOwner,
  slot: StoredSlot,
): Promise<Credential> {
  const found = await tx.credentials.find(slot.reference, { accountId: owner.accountId });
  if (found === undefined || (found.ownerType !== 'account' && found.ownerId !== owner.id))
    throw fault(pointerOf(slot), 'is not a credential of the account', {
      value: slot.reference,
      remediation: `GET /v1/credentials/${owner.accountId} lists them.`,
    });
  return ofType(found, slot);
}

/** Kinds of credentials whose secrets bridge agents can send. */
const keptAtHome = new Set(['basic', 'token', 'secret', 'o_auth_client', 'aws']);

function ofType(found: Credential, slot: StoredSlot): Credential {
  // Which kind of credential a secret of a bridge is, the slot says.
  if (found.configType === 'bridge' && keptAtHome.has(slot.credentialType)) return found;
  if (found.configType !== slot.credentialType)
    throw fault(
      pointerOf(slot),
      `the credential is of type ${found.configType}, here ${slot.credentialType} is needed`,
      {
        value: slot.reference,
      },
    );
  return found;
}

/**
 * Deletes the credentials that were created for an integration and are no longer part of its configuration, and grants that a new grant
 * replaces.
 */
export async function dropUnusedSecrets(
  context: Pick<ManagementContext, 'now'>,
  tx: Transaction,
  integration: Integration,
  before: Integration,
): Promise<void> {
  const used = storedCredentials(integration.providerConfig);
  await dropGrants(context, tx, storedCredentials(before.providerConfig), used);
  await credentialQueries.deleteUnused(tx, integration.id, used);
}
