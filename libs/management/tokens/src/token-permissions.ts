import {
  type AccountLimit,
  type CallerPermission,
  isWithin,
  type ManagementSchemas,
  type permissionSets,
} from '#contract';
import type { Member, Reader, Role, Token } from '#store';

type Resources = ManagementSchemas['Resources'];

/** The roles of every organization, with their permissions. */
export const builtInRoles: Readonly<Record<string, CallerPermission>> = {
  root_administrator: { permissionSet: 'administrator' },
  administrator: { permissionSet: 'administrator' },
  viewer: { permissionSet: 'viewer' },
  member: { permissionSet: 'member' },
};

/** Returns the permissions of roles by name; unknown names permit nothing. */
export async function permissionsOfRoles(
  tx: Reader,
  names: readonly string[],
): Promise<CallerPermission[]> {
  const custom = names.filter((name) => !Object.hasOwn(builtInRoles, name));
  return permissionsOfNames(names, custom.length === 0 ? [] : await tx.roles.byNames(custom));
}

function permissionsOfNames(names: readonly string[], roles: readonly Role[]): CallerPermission[] {
  return names.flatMap((name) => {
    if (Object.hasOwn(builtInRoles, name)) return [builtInRoles[name] as CallerPermission];
    return roles.filter((role) => role.name === name).map(rolePermission);
  });
}

/**
 * Returns the current permissions of a token: never more than its member's roles permit.
 * @param roles those of token and member that are not built in
 */
export function permissionsOf(
  token: Token,
  member: Member | undefined,
  roles: readonly Role[],
): CallerPermission[] {
  // Tokens of integrations may use theirs without a permission; one may limit how.
  if (token.ownerType === 'integration')
    return token.adhocRole ? [adhocPermission(token.adhocRole)] : [];
  const ofMember = permissionsOfNames(member?.roleBinding ?? [], roles);
  if (token.tokenType === 'logon') return ofMember;
  const own = permissionsOfNames(token.roleBinding, roles);
  if (token.adhocRole) own.push(adhocPermission(token.adhocRole));
  // Tokens without a member were created by the service, and contain their permissions.
  return token.memberId === null ? own : own.filter((one) => isWithin(one, ofMember));
}

/** Returns the permissions in the record of a token. */
export async function permittedByRecord(tx: Reader, token: Token): Promise<CallerPermission[]> {
  const permissions = await permissionsOfRoles(tx, token.roleBinding);
  return token.adhocRole ? [...permissions, adhocPermission(token.adhocRole)] : permissions;
}

/** Returns the permission of a role; without resources, for the whole organization. */
export function rolePermission({
  resources,
  permissionSet,
}: Pick<Role, 'resources' | 'permissionSet'>): CallerPermission {
  return adhocPermission({
    resources: resources ?? { organizations: { ids: ['*'] } },
    permission_set: permissionSet,
  });
}

/**
 * Returns resources and permission set as one permission. Accounts limit it if named; otherwise the organization must
 * be named.
 */
export function adhocPermission(role: {
  resources: Resources | Record<string, unknown>;
  permission_set: string;
}): CallerPermission {
  const { organizations, accounts, integrations } = role.resources as Resources;
  const permissionSet = role.permission_set as keyof typeof permissionSets;
  const limit: AccountLimit | undefined = accounts
    ? {
        ids: accounts.ids,
        ...(accounts.labels ? { labels: accounts.labels } : {}),
        ...(accounts.environments ? { environments: accounts.environments } : {}),
      }
    : organizations && organizations.ids.length > 0
      ? undefined
      : { ids: [] };
  return {
    permissionSet,
    ...(limit === undefined ? {} : { accounts: limit }),
    ...(integrations && !integrations.categories.includes('*')
      ? { categories: integrations.categories }
      : {}),
  };
}
