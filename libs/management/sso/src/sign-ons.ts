import { createHash, randomBytes } from 'node:crypto';
import { ApiError } from '#contract';
import { signOnQueries, type Transaction } from '#store';
import type { Identity } from './identity.js';
import { noSignOn } from './refusals.js';

/** A sign-on in progress, as stored in the database. */
export type SignOn = signOnQueries.SignOnRow<Identity>;

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
export async function insertSignOn(
  tx: Transaction,
  wanted: signOnQueries.NewSignOn,
  now: Date,
): Promise<void> {
  await signOnQueries.deleteExpired(tx, now);
  const open = await signOnQueries.count(tx, wanted.remoteAddress);
  if (open.ofAddress >= maxPerAddress || open.all >= maxPerOrganization)
    throw new ApiError(429, 'too many sign-ons are open', {
      remediation: 'Finish one, or wait until they expire.',
      headers: { 'retry-after': '60' },
    });
  const expiresAt = new Date(now.getTime() + signOnMs);
  await signOnQueries.insert(tx, wanted, { now, expiresAt });
}

/** Returns a sign-on that waits for its response, and counts the attempt. @throws ApiError 403 */
export async function openSignOn(tx: Transaction, id: string, now: Date): Promise<SignOn> {
  const found = await signOnQueries.countAttempt<Identity>(tx, id, { now, maxAttempts });
  if (found === undefined) throw noSignOn();
  return found;
}

/** Marks the sign-on as answered: the second of two concurrent responses is refused. @throws ApiError 403 */
export async function closeSignOn(tx: Transaction, id: string, now: Date): Promise<void> {
  if (!(await signOnQueries.close(tx, id, now))) throw noSignOn();
}

/** Stores the identity of the response, for the browser that has the code. */
export async function keepIdentity(
  tx: Transaction,
  id: string,
  identity: Identity,
  now: Date,
): Promise<string> {
  const { code, ...stored } = newCode(now);
  await signOnQueries.setIdentity(tx, id, { ...stored, identity });
  return code;
}

/** Creates a code for a page of this service: the browser has been identified, and the page sends no cookie. */
export async function handOver(tx: Transaction, id: string, now: Date): Promise<string> {
  const { code, ...stored } = newCode(now);
  await signOnQueries.setPageCode(tx, id, stored);
  return code;
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
  const codeHash = hashOf(code);
  const found = await signOnQueries.lockByCode<Identity>(tx, { codeHash, browserHash, now });
  if (found === undefined) throw noSignOn();
  return found;
}

/** Hashes secrets of browsers and codes for storage. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function newCode(now: Date): { code: string; codeHash: string; expiresAt: Date } {
  const code = randomBytes(32).toString('base64url');
  return { code, codeHash: hashOf(code), expiresAt: new Date(now.getTime() + codeMs) };
}
