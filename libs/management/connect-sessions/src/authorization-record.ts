import { createHash, randomBytes } from 'node:crypto';
import { defineIdPrefix, type Ids } from '#config';
import { ApiError, type ManagementSchemas, notFound } from '#contract';
import type { Reader, Transaction } from '#store';

const idKind = defineIdPrefix('oau');
/** Time to log on at the provider and to decide. */
export const decisionMs = 10 * 60_000;
/** Time in which a page learns what became of the authorization, and uses what was granted. */
const resultMs = 60 * 60_000;
/** Maximum number of authorizations of an account that wait for a person. */
export const maxPending = 100;

/** An authorization as it is stored. */
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

type NewAuthorization = Pick<
  Authorization,
  'account_id' | 'token_id' | 'client_credential_id' | 'provider' | 'sealed' | 'token_origin'
>;

/** Stores a new authorization, and returns its `state` too, of which only the hash is kept. @throws ApiError 429 */
export async function insertAuthorization(
  tx: Transaction,
  ids: Ids,
  wanted: NewAuthorization,
  now: Date,
): Promise<{ row: Authorization; state: string }> {
  const { organizationId } = tx.scope;
  const [open] = await tx.query<{ count: string }>(
    `select count(*) from connect_authorizations
     where organization_id = $1 and account_id = $2 and status = 'pending' and expires_at > $3`,
    [organizationId, wanted.account_id, now],
  );
  if (Number(open?.count) >= maxPending)
    throw new ApiError(429, 'too many authorizations of the account wait for somebody', {
      remediation: 'Finish one, or wait until they expire.',
      headers: { 'retry-after': '60' },
    });
  const secret = randomBytes(32).toString('base64url');
  const row: Authorization = {
    ...wanted,
    id: ids.next(idKind),
    status: 'pending',
    message: null,
    credential_id: null,
    missing_scopes: null,
    told: null,
    expires_at: new Date(now.getTime() + decisionMs),
  };
  await tx.query(
    `insert into connect_authorizations
       (id, organization_id, account_id, token_id, client_credential_id, provider, state_hash, sealed, token_origin, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      row.id,
      organizationId,
      row.account_id,
      row.token_id,
      row.client_credential_id,
      row.provider,
      hashOf(secret),
      row.sealed,
      row.token_origin,
      now,
      row.expires_at,
    ],
  );
  return { row, state: `${organizationId}.${secret}` };
}

/** Splits a `state`; undefined for a text that is none. */
export function readState(
  state: string | null,
): { organizationId: string; secret: string } | undefined {
  const [, organizationId, secret] = /^([a-z0-9_]{1,64})\.([\w-]{43})$/.exec(state ?? '') ?? [];
  return organizationId === undefined || secret === undefined
    ? undefined
    : { organizationId, secret };
}

/** Finds the authorization of a `state` that waits for somebody. */
export async function pendingAuthorization(
  tx: Reader,
  secret: string,
  now: Date,
): Promise<Authorization | undefined> {
  const [row] = await tx.query<Authorization>(
    `select * from connect_authorizations
     where organization_id = $1 and state_hash = $2 and status = 'pending' and expires_at > $3`,
    [tx.scope.organizationId, hashOf(secret), now],
  );
  return row;
}

/** Takes the authorization of a `state`, which nobody can use again. */
export async function takeAuthorization(
  tx: Transaction,
  secret: string,
  now: Date,
): Promise<Authorization | undefined> {
  const [row] = await tx.query<Authorization>(
    `with taken as (
       update connect_authorizations set state_hash = null
       where organization_id = $1 and state_hash = $2 and status = 'pending' and expires_at > $3
       returning *
     ) select * from taken`,
    [tx.scope.organizationId, hashOf(secret), now],
  );
  return row;
}

/** Stores what became of an authorization. The verifier is of no use any more. */
export async function finishAuthorization(
  tx: Transaction,
  id: string,
  outcome: Pick<Authorization, 'status' | 'message' | 'credential_id' | 'missing_scopes' | 'told'>,
  now: Date,
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
      new Date(now.getTime() + resultMs),
      told && JSON.stringify(told),
    ],
  );
}

/** Finds an authorization that the token began. @throws ApiError 404 */
export async function authorizationOf(
  tx: Reader,
  id: string,
  { accountId, tokenId }: { accountId: string; tokenId: string },
): Promise<Authorization> {
  const [row] = await tx.query<Authorization>(
    `select * from connect_authorizations
     where organization_id = $1 and id = $2 and account_id = $3 and token_id = $4`,
    [tx.scope.organizationId, id, accountId, tokenId],
  );
  if (row === undefined) throw notFound('authorization', id);
  return row;
}

export function authorizationView(
  row: Authorization,
  credential: string,
  now: Date,
): ManagementSchemas['ConnectAuthorization'] {
  const isLate = row.status === 'pending' && row.expires_at <= now;
  return {
    id: row.id,
    account_id: row.account_id,
    provider: row.provider,
    status: isLate ? 'expired' : row.status,
    ...(row.message === null ? {} : { message: row.message }),
    ...(row.credential_id === null ? {} : { credential_id: row.credential_id }),
    credential,
    ...(row.told === null ? {} : { provider_config: row.told }),
    ...(row.missing_scopes === null ? {} : { missing_scopes: row.missing_scopes }),
    expires_at: row.expires_at.toISOString(),
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
