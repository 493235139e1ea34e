import { createHash, randomBytes } from 'node:crypto';
import { defineIdPrefix, type Ids } from '#config';
import { ApiError, type ManagementSchemas, notFound } from '#contract';
import { authorizationQueries, type Reader, type Transaction } from '#store';

const idKind = defineIdPrefix('oau');
/** Time to log on at the provider and to decide. */
export const decisionMs = 10 * 60_000;
/** Time in which a page learns what became of the authorization, and uses what was granted. */
const resultMs = 60 * 60_000;
/** Maximum number of authorizations of an account that wait for a person. */
export const maxPending = 100;

/** An authorization as it is stored. */
export type Authorization = authorizationQueries.Authorization;

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
  if ((await authorizationQueries.countPending(tx, wanted.account_id, now)) >= maxPending)
    throw new ApiError(429, 'too many authorizations of the account are waiting for a person', {
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
  await authorizationQueries.insert(tx, row, { stateHash: hashOf(secret), now });
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
  return await authorizationQueries.findPending(tx, hashOf(secret), now);
}

/** Takes the authorization of a `state`, which nobody can use again. */
export async function takeAuthorization(
  tx: Transaction,
  secret: string,
  now: Date,
): Promise<Authorization | undefined> {
  return await authorizationQueries.take(tx, hashOf(secret), now);
}

/** Stores what became of an authorization. The verifier is of no use any more. */
export async function finishAuthorization(
  tx: Transaction,
  id: string,
  outcome: Pick<Authorization, 'status' | 'message' | 'credential_id' | 'missing_scopes' | 'told'>,
  now: Date,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + resultMs);
  await authorizationQueries.finish(tx, id, outcome, expiresAt);
}

/** Finds an authorization that the token began. @throws ApiError 404 */
export async function authorizationOf(
  tx: Reader,
  id: string,
  by: { accountId: string; tokenId: string },
): Promise<Authorization> {
  const row = await authorizationQueries.findOfToken(tx, id, by);
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
