import type { Reader, Transaction } from '../transaction.js';

/** An authorization of a Connect session. */
export interface Authorization {
  id: string;
  account_id: string;
  token_id: string;
  client_credential_id: string;
  provider: string;
  sealed: string;
  /** The origin that exchanges the code: what it issues may be sent there. */
  token_origin: string;
  status: 'pending' | 'granted' | 'refused';
  message: string | null;
  credential_id: string | null;
  missing_scopes: string[] | null;
  /** Properties of the configuration that the provider told with the grant. */
  told: Record<string, string> | null;
  expires_at: Date;
}

/** Counts the authorizations of an account that wait for a person. */
export async function countPending(tx: Transaction, accountId: string, now: Date): Promise<number> {
  const [open] = await tx.query<{ count: string }>(
    `select count(*) from connect_authorizations
     where organization_id = $1 and account_id = $2 and status = 'pending' and expires_at > $3`,
    [tx.scope.organizationId, accountId, now],
  );
  return Number(open?.count);
}

export async function insert(
  tx: Transaction,
  row: Authorization,
  { stateHash, now }: { stateHash: string; now: Date },
): Promise<void> {
  await tx.query(
    `insert into connect_authorizations
       (id, organization_id, account_id, token_id, client_credential_id, provider, state_hash, sealed, token_origin, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      row.id,
      tx.scope.organizationId,
      row.account_id,
      row.token_id,
      row.client_credential_id,
      row.provider,
      stateHash,
      row.sealed,
      row.token_origin,
      now,
      row.expires_at,
    ],
  );
}

/** Finds the authorization of a `state` that waits for a person. */
export async function findPending(
  tx: Reader,
  stateHash: string,
  now: Date,
): Promise<Authorization | undefined> {
  const [row] = await tx.query<Authorization>(
    `select * from connect_authorizations
     where organization_id = $1 and state_hash = $2 and status = 'pending' and expires_at > $3`,
    [tx.scope.organizationId, stateHash, now],
  );
  return row;
}

/** Finds the authorization of a `state` that waits for a person, and forgets the `state`. */
export async function take(
  tx: Transaction,
  stateHash: string,
  now: Date,
): Promise<Authorization | undefined> {
  const [row] = await tx.query<Authorization>(
    `with taken as (
       update connect_authorizations set state_hash = null
       where organization_id = $1 and state_hash = $2 and status = 'pending' and expires_at > $3
       returning *
     ) select * from taken`,
    [tx.scope.organizationId, stateHash, now],
  );
  return row;
}

/** Stores the outcome of an authorization, and forgets its verifier. */
export async function finish(
  tx: Transaction,
  id: string,
  outcome: Pick<Authorization, 'status' | 'message' | 'credential_id' | 'missing_scopes' | 'told'>,
  expiresAt: Date,
): Promise<void> {
  const { status, message, credential_id: credentialId, missing_scopes: missing, told } = outcome;
  await tx.query(
    `update connect_authorizations
     set status = $3, message = $4, credential_id = $5, missing_scopes = $6, expires_at = $7, told = $8, sealed = null
     where organization_id = $1 and id = $2`,
    [
      tx.scope.organizationId,
      id,
      status,
      message,
      credentialId,
      missing && JSON.stringify(missing),
      expiresAt,
      told && JSON.stringify(told),
    ],
  );
}

/** Finds an authorization that a token began. */
export async function findOfToken(
  tx: Reader,
  id: string,
  { accountId, tokenId }: { accountId: string; tokenId: string },
): Promise<Authorization | undefined> {
  const [row] = await tx.query<Authorization>(
    `select * from connect_authorizations
     where organization_id = $1 and id = $2 and account_id = $3 and token_id = $4`,
    [tx.scope.organizationId, id, accountId, tokenId],
  );
  return row;
}

/** Lists the origins that issued a credential which a person granted. */
export async function listIssuers(
  tx: Reader,
  accountId: string,
  credentialId: string,
): Promise<string[]> {
  const rows = await tx.query<{ token_origin: string }>(
    `select token_origin from connect_authorizations
     where organization_id = $1 and account_id = $2 and credential_id = $3`,
    [tx.scope.organizationId, accountId, credentialId],
  );
  return rows.map((row) => row.token_origin);
}
