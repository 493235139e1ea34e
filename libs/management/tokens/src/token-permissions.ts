import {
  type AccountLimit,
  type CallerPermission,
  isWithin,
  type ManagementSchemas,
  type permissionSets,
} from '#contract';
import type { Member, Role, Token, Transaction } from '#store';

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
  tx: Transaction,
  names: readonly string[],
): Promise<CallerPermission[]> {
  const custom = names.filter((name) => !Object.hasOwn(builtInRoles, name));
  const roles = custom.length === 0 ? [] : await tx.roles.byNames(custom);
  const builtIn = names.flatMap((name) =>
    Object.hasOwn(builtInRoles, name) ? [builtInRoles[name] as CallerPermission] : [],
  );
  return [...builtIn, ...roles.map(rolePermission)];
}

/** What a token permits at this moment: never more than its member's roles do by now. */
export async function permissionsOf(
  tx: Transaction,
  token: Token,
  member: Member | undefined,
): Promise<CallerPermission[]> {
  if (token.ownerType === 'integration') return [];
  const own = await permittedByRecord(tx, token, member);
  // Tokens of nobody were made by the service itself, and say themselves what they permit.
  if (token.memberId === null || token.tokenType === 'logon') return own;
  const ofMember = member ? await permissionsOfRoles(tx, member.roleBinding) : [];
  return own.filter((one) => isWithin(one, ofMember));
}

/** What a token's record says that it permits; of a session, what its member's roles do. */
export async function permittedByRecord(
  tx: Transaction,
  token: Token,
  member?: Member,
): Promise<CallerPermission[]> {
  const isSession = token.tokenType === 'logon';
  const bound = isSession ? (member?.roleBinding ?? token.roleBinding) : token.roleBinding;
  const permissions = await permissionsOfRoles(tx, bound);
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
