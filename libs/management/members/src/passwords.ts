import { ApiError, parseDuration } from '#contract';
import { fault } from '#management/core';
import { hashPassword, TooManyWaiting, verifyPassword } from '#secrets';
import {
  type Member,
  memberQueries,
  type Organization,
  type Reader,
  type Transaction,
} from '#store';

/** Password rules of an organization; durations in milliseconds. */
export interface PasswordRules {
  minimumLength: number;
  passwordMs: number;
  inviteMs: number;
  forgotMs: number;
}

/** Maximum length of a password that is hashed, whatever the organization's options. */
export const maxPasswordLength = 72;
/** Maximum number of UTF-16 units of so many characters, which may be composed of several. */
const maxUnits = 8 * maxPasswordLength;
/** Number of former passwords, including the current one, that cannot be used again. */
const remembered = 5;

/** Reads the options of the organization, or the contract's defaults. */
export function passwordRules({ options }: Organization): PasswordRules {
  const duration = (name: string, defaultValue: string) =>
    parseDuration(typeof options?.[name] === 'string' ? options[name] : defaultValue) ?? 0;
  const length = options?.['minimum_password_length'];
  return {
    minimumLength: typeof length === 'number' ? length : 8,
    passwordMs: duration('password_duration', '4320h'),
    inviteMs: duration('invite_duration', '168h'),
    forgotMs: duration('forgot_duration', '24h'),
  };
}

/** Checks a new password. @throws ApiError 400 if the organization does not allow it */
export function checkNewPassword(
  password: string,
  pointer: string,
  { minimumLength }: PasswordRules,
  name: string,
): void {
  const length = [...password].length;
  if (length < minimumLength || length > maxPasswordLength)
    throw fault(pointer, `has ${length} characters`, {
      remediation: `Use ${minimumLength} to ${maxPasswordLength}.`,
    });
  if (password.toLowerCase() === name.toLowerCase())
    throw fault(pointer, 'is the name of the member', {
      remediation: 'Choose a password that cannot be guessed from the name.',
    });
}

/** Returns the hash of a member's password; undefined without one. */
export async function currentHash(tx: Transaction, member: Member): Promise<string | undefined> {
  return (await rememberedHashes(tx, member))[0];
}

/** Returns the hashes that a new password must not match, the current one first. */
export async function rememberedHashes(tx: Reader, { id }: Member): Promise<string[]> {
  return await memberQueries.listPasswords(tx, id, remembered);
}

/** Refuses a former password of the member. @throws ApiError 400 */
export async function checkHistory(
  known: readonly string[],
  password: string,
  pointer: string,
): Promise<void> {
  for (const hash of known)
    if (await verifyWithLimit(hash, password))
      throw fault(pointer, `is one of the last ${remembered} passwords`, {
        remediation: 'Choose one that was not used before.',
      });
}

/** Stores a hash as the member's password, and deletes those that are no longer remembered. */
export async function storePassword(
  tx: Transaction,
  { id }: Member,
  hash: string,
  now: Date,
): Promise<void> {
  await memberQueries.insertPassword(tx, id, { hash, now, maxPasswords: remembered });
}

/** Like verifyPassword; too many at once are a 429, and a text above the maximum length does not match. */
export async function verifyWithLimit(
  hash: string | undefined,
  password: string,
): Promise<boolean> {
  const isPossible = password.length <= maxUnits;
  return await busyAs429(() =>
    verifyPassword(isPossible ? hash : undefined, isPossible ? password : ''),
  );
}

/** Hashes the password of a request, before its transaction, which would otherwise be open for long. */
export async function hashNewPassword(password: string, pointer: string): Promise<string> {
  if (password.length > maxUnits)
    throw fault(pointer, `has ${password.length} characters`, {
      remediation: `Use at most ${maxPasswordLength}.`,
    });
  return await busyAs429(() => hashPassword(password));
}

/** Turns TooManyWaiting into a 429. @throws ApiError 429 */
async function busyAs429<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof TooManyWaiting)) throw cause;
    throw new ApiError(429, 'too many passwords are being checked at this moment', {
      remediation: 'Try again in some seconds.',
      headers: { 'retry-after': '2' },
      cause,
    });
  }
}
