import { ApiError } from '#contract';
import { fault, parseDuration } from '#management/core';
import { hashPassword, TooManyWaiting, verifyPassword } from '#secrets';
import type { Member, Organization, Reader, Transaction } from '#store';

/** What an organization asks of passwords; durations in milliseconds. */
export interface PasswordRules {
  minimumLength: number;
  passwordMs: number;
  inviteMs: number;
  forgotMs: number;
}

/** The longest password that is hashed, whatever an organization says. */
export const longestPassword = 72;
/** UTF-16 units of so many characters, whatever they are composed of. */
const mostUnits = 8 * longestPassword;
/** So many passwords, the present one among them, are not taken again. */
const remembered = 5;

/** The organization's options, or the contract's defaults of them. */
export function passwordRules({ options }: Organization): PasswordRules {
  const duration = (name: string, usual: string) =>
    parseDuration(typeof options?.[name] === 'string' ? options[name] : usual) ?? 0;
  const length = options?.['minimum_password_length'];
  return {
    minimumLength: typeof length === 'number' ? length : 8,
    passwordMs: duration('password_duration', '4320h'),
    inviteMs: duration('invite_duration', '168h'),
    forgotMs: duration('forgot_duration', '24h'),
  };
}

/** @throws ApiError 400 for a password the organization does not take. */
export function checkNewPassword(
  password: string,
  pointer: string,
  { minimumLength }: PasswordRules,
  name: string,
): void {
  const length = [...password].length;
  if (length < minimumLength || length > longestPassword)
    throw fault(pointer, `has ${length} characters`, {
      remediation: `Use ${minimumLength} to ${longestPassword}.`,
    });
  if (password.toLowerCase() === name.toLowerCase())
    throw fault(pointer, 'is the name of the member', {
      remediation: 'Choose a password that cannot be guessed from the name.',
    });
}

/** The hash of a member's password; undefined when there is none. */
export async function currentHash(tx: Transaction, member: Member): Promise<string | undefined> {
  return (await rememberedHashes(tx, member))[0];
}

/** The hashes a new password must not fit, the present one first. */
export async function rememberedHashes(
  tx: Reader,
  { id, organizationId }: Member,
): Promise<string[]> {
  const rows = await tx.query<{ hash: string }>(
    `select hash from member_secrets where organization_id = $1 and member_id = $2
      order by position desc limit $3`,
    [organizationId, id, remembered],
  );
  return rows.map(({ hash }) => hash);
}

/** @throws ApiError 400 for a password the member had before. */
export async function checkHistory(
  known: readonly string[],
  password: string,
  pointer: string,
): Promise<void> {
  for (const hash of known)
    if (await verified(hash, password))
      throw fault(pointer, `is one of the last ${remembered} passwords`, {
        remediation: 'Choose one that was not used before.',
      });
}

/** Makes a hash the member's password, and forgets those that are not remembered any more. */
export async function storePassword(
  tx: Transaction,
  { id, organizationId }: Member,
  hash: string,
  now: Date,
): Promise<void> {
  const mine = [organizationId, id];
  await tx.query(
    'insert into member_secrets (organization_id, member_id, hash, created_at) values ($1, $2, $3, $4)',
    [...mine, hash, now],
  );
  await tx.query(
    `delete from member_secrets where organization_id = $1 and member_id = $2 and position not in
       (select position from member_secrets where organization_id = $1 and member_id = $2
         order by position desc limit $3)`,
    [...mine, remembered],
  );
}

/** Like verifyPassword; too many at once are a 429, and what is longer than any password is none. */
export async function verified(hash: string | undefined, password: string): Promise<boolean> {
  const isPossible = password.length <= mostUnits;
  return await busyAs429(() =>
    verifyPassword(isPossible ? hash : undefined, isPossible ? password : ''),
  );
}

/** The hash of a password of a request: made before the transaction, which it would hold up. */
export async function hashNewPassword(password: string, pointer: string): Promise<string> {
  if (password.length > mostUnits)
    throw fault(pointer, `has ${password.length} characters`, {
      remediation: `Use at most ${longestPassword}.`,
    });
  return await busyAs429(() => hashPassword(password));
}

/** @throws ApiError 429 instead of TooManyWaiting. */
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
