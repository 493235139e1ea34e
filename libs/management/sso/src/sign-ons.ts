import { createHash, randomBytes } from 'node:crypto';
import { ApiError } from '#contract';
import type { Transaction } from '#store';
import type { Identity } from './identity.js';
import { noSignOn } from './refusals.js';

/** A sign-on in progress, as stored in the database. */
export interface SignOn {
  id: string;
  sso_id: string;
  browser_hash: string;
  sealed: string | null;
  return_to: string | null;
  return_state: string | null;
  identity: Identity | null;
}

export interface NewSignOn {
  id: string;
  ssoId: string;
  browserHash: string;
  remoteAddress: string;
  sealed: string | null;
  returnTo: string | null;
  returnState: string | null;
}

/** Time to enter name, password and second factor at the identity provider. */
export const signOnMs = 10 * 60_000;
/** Time from the provider's response to the end: redirects only. */
const codeMs = 60_000;
/**
 * Maximum number of open sign-ons for an address, which may be that of an office, and for an organization: callers are
 * not authenticated.
 */
export const maxPerAddress = 300;
export const maxPerOrganization = 20_000;

/** Maximum number of responses that are checked for a sign-on. */
const maxAttempts = 3;

/** Returns an id that is valid in a `state`, a `RelayState` and an XML id. */
export function newSignOnId(): string {
  return randomBytes(16).toString('base64url');
}

/** Stores a new sign-on. @throws ApiError 429 */
export async function insertSignOn(tx: Transaction, wanted: NewSignOn, now: Date): Promise<void> {
  const { organizationId } = tx.scope;
  await tx.query('delete from sso_sign_ons where organization_id = $1 and expires_at <= $2', [
    organizationId,
    now,
  ]);
  const [open] = await tx.query<{ mine: string; all: string }>(
    `select count(*) filter (where remote_address = $2) as mine, count(*) as all
     from sso_sign_ons where organization_id = $1`,
    [organizationId, wanted.remoteAddress],
  );
  if (Number(open?.mine) >= maxPerAddress || Number(open?.all) >= maxPerOrganization)
    throw new ApiError(429, 'too many sign-ons are open', {
      remediation: 'Finish one, or wait until they expire.',
      headers: { 'retry-after': '60' },
    });
  await tx.query(
    `insert into sso_sign_ons (id, organization_id, sso_id, browser_hash, remote_address, sealed, return_to, return_state, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      wanted.id,
      organizationId,
      wanted.ssoId,
      wanted.browserHash,
      wanted.remoteAddress,
      wanted.sealed,
      wanted.returnTo,
      wanted.returnState,
      now,
      new Date(now.getTime() + signOnMs),
    ],
  );
}

/** Returns a sign-on that waits for its response, and counts the attempt. @throws ApiError 403 */
export async function openSignOn(tx: Transaction, id: string, now: Date): Promise<SignOn> {
  const [found] = await tx.query<SignOn>(
    `with opened as (
       update sso_sign_ons set attempts = attempts + 1
       where organization_id = $1 and id = $2 and answered_at is null and expires_at > $3 and attempts < $4
       returning *
     ) select * from opened`,
    [tx.scope.organizationId, id, now, maxAttempts],
  );
  if (found === undefined) throw noSignOn();
  return found;
}

/** Marks the sign-on as answered: the second of two concurrent responses is refused. @throws ApiError 403 */
export async function closeSignOn(tx: Transaction, id: string, now: Date): Promise<void> {
  const [rows] = await tx.query<unknown[]>(
    `with closed as (
       update sso_sign_ons set answered_at = $3
       where organization_id = $1 and id = $2 and answered_at is null and expires_at > $3 returning id
     ) select array_agg(id) as ids from closed having count(*) > 0`,
    [tx.scope.organizationId, id, now],
  );
  if (rows === undefined) throw noSignOn();
}

/** Stores the identity of the response, for the browser that has the code. */
export async function keepIdentity(
  tx: Transaction,
  id: string,
  identity: Identity,
  now: Date,
): Promise<string> {
  return await newCode(tx, id, now, 'identity = $5', [JSON.stringify(identity)]);
}

/** Creates a code for a page of this service: the browser has been identified, and the page sends no cookie. */
export async function handOver(tx: Transaction, id: string, now: Date): Promise<string> {
  return await newCode(tx, id, now, `browser_hash = ''`, []);
}

/**
 * Returns the sign-on of a code, which is valid once.
 * @param browserHash `''` for codes that were given to a page
 * @throws ApiError 403
 */
export async function signOnOfCode(
  tx: Transaction,
  code: string,
  browserHash: string,
  now: Date,
): Promise<SignOn & { identity: Identity }> {
  const [found] = await tx.query<SignOn & { identity: Identity }>(
    `select * from sso_sign_ons
     where organization_id = $1 and code_hash = $2 and browser_hash = $3 and expires_at > $4
     for update`,
    [tx.scope.organizationId, hashOf(code), browserHash, now],
  );
  if (found === undefined) throw noSignOn();
  return found;
}

export async function deleteSignOn(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from sso_sign_ons where organization_id = $1 and id = $2', [
    tx.scope.organizationId,
    id,
  ]);
}

/** Hashes secrets of browsers and codes for storage. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function newCode(
  tx: Transaction,
  id: string,
  now: Date,
  also: string,
  values: unknown[],
): Promise<string> {
  const code = randomBytes(32).toString('base64url');
  await tx.query(
    `update sso_sign_ons set code_hash = $3, expires_at = $4, ${also} where organization_id = $1 and id = $2`,
    [tx.scope.organizationId, id, hashOf(code), new Date(now.getTime() + codeMs), ...values],
  );
  return code;
}
