import {
  type AccountLimit,
  type CallerPermission,
  type ManagementSchemas,
  type permissionSets,
} from '#contract';
import type { Token } from '#store';

type Resources = ManagementSchemas['Resources'];

/** What the built-in roles bind. */
const builtInRoles: Readonly<Record<string, CallerPermission>> = {
  root_administrator: { permissionSet: 'administrator' },
  administrator: { permissionSet: 'administrator' },
  viewer: { permissionSet: 'viewer' },
  member: { permissionSet: 'member' },
};

/** What a token's bindings add up to. */
export function permissionsOf(token: Pick<Token, 'adhocRole' | 'roleBinding'>): CallerPermission[] {
  const bound = token.roleBinding.flatMap((name) => builtInRoles[name] ?? []);
  return token.adhocRole ? [...bound, adhocPermission(token.adhocRole)] : bound;
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
    : organizations
      ? undefined
      : { ids: [] };
  return {
    permissionSet,
    ...(limit === undefined ? {} : { accounts: limit }),
    ...(integrations ? { categories: integrations.categories } : {}),
  };
}
