import type { Reader, Transaction } from '../transaction.js';

/** The facts of a grant by which it can be given back. */
export interface Grant {
  provider: string;
  client_credential_id: string;
  token_origin: string;
}

/** Notes that people granted the token of a credential. */
export async function insert(
  tx: Transaction,
  credentialId: string,
  { provider, client_credential_id, token_origin }: Grant,
  tokenHash: string,
): Promise<void> {
  await tx.query(
    `insert into credential_grants (credential_id, organization_id, provider, client_credential_id, token_origin, token_hash)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      credentialId,
      tx.scope.organizationId,
      provider,
      client_credential_id,
      token_origin,
      tokenHash,
    ],
  );
}

/** True if a credential of the organization has the token. */
export async function exists(tx: Reader, tokenHash: string): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from credential_grants where organization_id = $1 and token_hash = $2 limit 1',
    [tx.scope.organizationId, tokenHash],
  );
  return rows.length > 0;
}

/**
 * Lists the granted credentials among these that no integration names.
 * @param keep where given, only grants that a new grant of the same provider replaces, which is one of these
 */
export async function listUnused(
  tx: Transaction,
  ids: readonly string[],
  keep: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select g.credential_id as id from credential_grants g join credentials c on c.id = g.credential_id
     where g.organization_id = $1 and c.id = any($2)
       and not exists (select from integrations i where i.organization_id = $1
         and i.account_id is not distinct from c.account_id and position(c.id in i.provider_config::text) > 0)
       and ($3::text[] is null or exists (select from credential_grants n
         where n.organization_id = $1 and n.credential_id = any($3) and n.provider = g.provider))`,
    [tx.scope.organizationId, ids, keep ?? null],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the grant of a credential, whose token stays valid. */
export async function deleteOfCredential(tx: Transaction, credentialId: string): Promise<void> {
  await tx.query(
    'delete from credential_grants where organization_id = $1 and credential_id = $2',
    [tx.scope.organizationId, credentialId],
  );
}
