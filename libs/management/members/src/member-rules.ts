import { type Caller, forbidden, isWithin } from '#contract';
import { checkName, fault, readDuration } from '#management/core';
import { builtInRoles, permissionsOfRoles } from '#management/tokens';
import type { Member, Transaction } from '#store';

const mostRoles = 100;
const longestText = 256;
const longestPicture = 2_048;

/** One @, something on both sides of it, a dot behind it: who the address belongs to is not for a pattern to say. */
const email = /^[^\s@"<>(),;:\\/[\]]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** "name (e-mail when personal)", in lower case. @throws ApiError 400 */
export function checkMemberName(name: string, type: Member['type'], ownId?: string): string {
  if (type === 'service') return checkName(name, ownId);
  const lower = name.toLowerCase();
  if (lower.length > 254 || !email.test(lower))
    throw fault('/name', 'is no e-mail address', {
      value: name,
      remediation: 'Personal members are named by their e-mail address; service members by a name.',
    });
  return lower;
}

/** Bounds of a member's and of his sessions' lifetime. */
export function checkLifetimes(
  given: { ttl?: string | null | undefined; token_ttl?: string | null | undefined },
  type: Member['type'],
  at: string,
) {
  return {
    ttl: readDuration(given.ttl, `${at}/ttl`, { usual: '87600h', least: '1d', most: '3650d' }),
    tokenTtl: readDuration(given.token_ttl, `${at}/token_ttl`, {
      usual: '1h',
      least: '1m',
      most: type === 'personal' ? '24h' : '90d',
    }),
  };
}

/** @throws ApiError 400 for what would not fit a screen. */
export function checkTexts({
  nickname,
  picture,
}: {
  nickname?: string | null | undefined;
  picture?: string | null | undefined;
}): Pick<Member, 'nickname' | 'picture'> {
  for (const [pointer, text, most] of [
    ['/nickname', nickname, longestText],
    ['/picture', picture, longestPicture],
  ] as const)
    if (text && text.length > most)
      throw fault(pointer, `has ${text.length} characters`, {
        remediation: `Use at most ${most}.`,
      });
  return { nickname: nickname ?? null, picture: picture ?? null };
}

/** Roles that exist, and permit nothing the caller may not do itself. @throws ApiError 400 or 403 */
export async function checkBinding(
  tx: Transaction,
  caller: Caller,
  names: readonly string[],
): Promise<string[]> {
  const unique = [...new Set(names)];
  if (unique.length > mostRoles)
    throw fault('/role_binding', `has ${unique.length} roles`, {
      remediation: `Bind at most ${mostRoles}.`,
    });
  // Locked, or a role that is deleted at this moment would come back with the next one of its name.
  const custom = await tx.roles.byNames(unique, true);
  const known = new Set([...Object.keys(builtInRoles), ...custom.map(({ name }) => name)]);
  const missing = unique.findIndex((name) => !known.has(name));
  if (missing >= 0)
    throw fault(`/role_binding/${missing}`, 'names no role', {
      value: unique[missing],
      remediation: `Use a name of GET /v1/roles, or ${Object.keys(builtInRoles).join(', ')}.`,
    });
  const rooted = unique.indexOf('root_administrator');
  if (rooted >= 0 && (await tx.organization()).organizationType !== 'root')
    throw fault(`/role_binding/${rooted}`, 'is a role of the root organization', {
      value: 'root_administrator',
      remediation: 'Bind administrator: it permits everything in this organization.',
    });
  await checkWidth(tx, caller, unique);
  return unique;
}

/** Members who may do more than the caller are not the caller's to make or change. @throws ApiError 403 */
export async function checkWidth(
  tx: Transaction,
  caller: Caller,
  roles: readonly string[],
): Promise<void> {
  const permissions = await permissionsOfRoles(tx, roles);
  if (permissions.every((one) => isWithin(one, caller.permissions))) return;
  throw forbidden(
    "the member's roles permit more than the calling token",
    'Use a token that may itself do all that these roles permit.',
  );
}
