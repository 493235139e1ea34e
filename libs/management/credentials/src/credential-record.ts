import type { ManagementSchemas } from '#contract';
import { type Credential, kinds, type Transaction } from '#store';
import { type ManagementContext, newRecord, recordView } from '#management/core';

type CredentialResponse = ManagementSchemas['CredentialResponse'];

/** Owner of a credential. */
export interface CredentialOwner {
  type: Credential['ownerType'];
  id: string;
  /** Null for owners without an account. */
  accountId: string | null;
}

/** A credential in responses: only the type of its configuration. */
export function credentialView(credential: Credential): CredentialResponse {
  return {
    ...recordView(credential),
    owner_type: credential.ownerType,
    ...(credential.accountId === null ? {} : { account_id: credential.accountId }),
    ...(credential.ownerType === 'integration' ? { integration_id: credential.ownerId } : {}),
    ...(credential.ownerType === 'integration_point'
      ? { integration_point_id: credential.ownerId }
      : {}),
    ...(credential.ownerType === 'organization_webhook'
      ? { organization_webhook_id: credential.ownerId }
      : {}),
    config: { type: credential.configType },
    ...(credential.expires === null ? {} : { expires: credential.expires.toISOString() }),
    managed: credential.managed ? 'Managed' : 'Unmanaged',
  };
}

/** Creates a credential with its configuration encrypted. */
export async function insertCredential(
  context: ManagementContext,
  tx: Transaction,
  owner: CredentialOwner,
  wanted: {
    name?: string | null | undefined;
    fullname?: string | null | undefined;
    config: { type: string };
    expires?: string | null | undefined;
    managed: boolean;
  },
): Promise<Credential> {
  const id = context.ids.next(kinds.credentials);
  const { name, fullname } = wanted;
  const within = { ownerId: owner.id };
  return await tx.credentials.insert({
    ...(await newRecord(context, tx, tx.credentials, { id, name, fullname }, within)),
    ownerType: owner.type,
    ownerId: owner.id,
    accountId: owner.accountId,
    configType: wanted.config.type,
    sealed: await sealConfig(context, tx, owner.accountId, wanted.config),
    expires: wanted.expires ? new Date(wanted.expires) : null,
    managed: wanted.managed,
  });
}

/** Encrypts a credential's configuration with the key of its account, or else of the organization. */
export async function sealConfig(
  context: ManagementContext,
  tx: Transaction,
  accountId: string | null,
  config: object,
): Promise<string> {
  return await context.seal(tx, accountId ?? tx.scope.organizationId, JSON.stringify(config));
}

/** Decrypts a credential's configuration, in a call that is recorded. The result is never part of a response. */
export function openConfig(
  context: ManagementContext,
  credential: Credential,
): Record<string, unknown> {
  const owner = credential.accountId ?? credential.organizationId;
  context.recordEvent('secret_read', { data: { credential_id: credential.id } });
  return JSON.parse(context.sealer.open(owner, credential.sealed).reveal()) as Record<
    string,
    unknown
  >;
}
