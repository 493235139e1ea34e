import { type Caller, forbidden, isWithin } from '#contract';
import { checkName, fault, readDuration } from '#management/core';
import { builtInRoles, permissionsOfRoles } from '#management/tokens';
import type { Member, Transaction } from '#store';

const maxRoles = 100;
const maxTextLength = 256;
const maxPictureLength = 2_048;

/** One @ with text on both sides and a dot after it: a pattern cannot tell more about an address. */
const email = /^[^\s@"<>(),;:\\/[\]]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** Checks "name (e-mail when personal)", in lower case. @throws ApiError 400 */
export function checkMemberName(name: string, type: Member['type'], ownId?: string): string {
  if (type === 'service') return checkName(name, ownId);
  const lower = name.toLowerCase();
  if (lower.length > 254 || !email.test(lower))
    throw fault('/name', 'is not a valid e-mail address', {
      value: name,
      remediation: 'Personal members are named by their e-mail address; service members by a name.',
    });
  return lower;
}

/** Checks the lifetimes of a member and of their sessions. */
export function checkLifetimes(
  given: { ttl?: string | null | undefined; token_ttl?: string | null | undefined },
  type: Member['type'],
  at: string,
) {
  return {
    ttl: readDuration(given.ttl, `${at}/ttl`, { default: '87600h', min: '1d', max: '3650d' }),
    tokenTtl: readDuration(given.token_ttl, `${at}/token_ttl`, {
      default: '1h',
      min: '1m',
      max: type === 'personal' ? '24h' : '90d',
    }),
  };
}

/** Checks the length of texts that are displayed. @throws ApiError 400 */
export function checkTexts({
  nickname,
  picture,
}: {
  nickname?: string | null | undefined;
  picture?: string | null | undefined;
}): Pick<Member, 'nickname' | 'picture'> {
  for (const [pointer, text, max] of [
    ['/nickname', nickname, maxTextLength],
    ['/picture', picture, maxPictureLength],
  ] as const)
    if (text && text.length > max)
      throw fault(pointer, `has ${text.length} characters`, {
        remediation: `Use at max ${max}.`,
      });
  return { nickname: nickname ?? null, picture: picture ?? null };
}

/** Checks that roles exist and permit nothing that the caller may not do itself. @throws ApiError 400 or 403 */
export async function checkBinding(
  tx: Transaction,
  caller: Caller,
  names: readonly string[],
): Promise<string[]> {
  const unique = [...new Set(names)];
  if (unique.length > maxRoles)
    throw fault('/role_binding', `has ${unique.length} roles`, {
      remediation: `Bind at max ${maxRoles}.`,
    });
  // Locked: a role that is deleted at the same time would be bound again by a later role of its name.
  const custom = await tx.roles.byNames(unique, true);
  const known = new Set([...Object.keys(builtInRoles), ...custom.map(({ name }) => name)]);
  const missing = unique.findIndex((name) => !known.has(name));
  if (missing >= 0)
    throw fault(`/role_binding/${missing}`, 'is not a role', {
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

/** Refuses to create or change a member who may do more than the caller. @throws ApiError 403 */
export async function checkWidth(
  tx: Transaction,
  caller: Caller,
  roles: readonly string[],
): Promise<void> {
  const permissions = await permissionsOfRoles(tx, roles);
  if (permissions.every((one) => isWithin(one, caller.permissions))) return;
  throw forbidden(
    "the member's roles permit more than the calling token",
    'Use a token that has all permissions of these roles.',
  );
}
