import {
  type AccountLimit,
  type CallerPermission,
  isWithin,
  type ManagementSchemas,
  type permissionSets,
} from '#contract';
import type { Member, Reader, Role, Token } from '#store';

type Resources = ManagementSchemas['Resources'];

/** The roles every organization has, and what they permit. */
export const builtInRoles: Readonly<Record<string, CallerPermission>> = {
  root_administrator: { permissionSet: 'administrator' },
  administrator: { permissionSet: 'administrator' },
  viewer: { permissionSet: 'viewer' },
  member: { permissionSet: 'member' },
};

/** What roles add up to, by their names; a name nobody has permits nothing. */
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
 * What a token permits at this moment: never more than its member's roles do by now.
 * @param roles those of token and member that are not built in
 */
export function permissionsOf(
  token: Token,
  member: Member | undefined,
  roles: readonly Role[],
): CallerPermission[] {
  if (token.ownerType === 'integration') return [];
  const ofMember = permissionsOfNames(member?.roleBinding ?? [], roles);
  if (token.tokenType === 'logon') return ofMember;
  const own = permissionsOfNames(token.roleBinding, roles);
  if (token.adhocRole) own.push(adhocPermission(token.adhocRole));
  // Tokens of nobody were made by the service itself, and say themselves what they permit.
  return token.memberId === null ? own : own.filter((one) => isWithin(one, ofMember));
}

/** What a token's record says that it permits. */
export async function permittedByRecord(tx: Reader, token: Token): Promise<CallerPermission[]> {
  const permissions = await permissionsOfRoles(tx, token.roleBinding);
  return token.adhocRole ? [...permissions, adhocPermission(token.adhocRole)] : permissions;
}

/** What a role permits; without resources, all of the organization. */
export function rolePermission({
  resources,
  permissionSet,
}: Pick<Role, 'resources' | 'permissionSet'>): CallerPermission {
  return adhocPermission({
    resources: resources ?? { organizations: { ids: ['*'] } },
    permission_set: permissionSet,
  });
}

/** Resources and permission set as one permission. Accounts that are named limit it; without them, the organization must be. */
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
    ...(integrations ? { categories: integrations.categories } : {}),
  };
}
