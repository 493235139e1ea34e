import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import {
  allows,
  ApiError,
  type Call,
  type CallerPermission,
  type ManagementSchemas,
  operations,
  permissionSets,
  type Reply,
} from '#contract';

type Name = ManagementSchemas['Permissions'];
type PermissionSet = ManagementSchemas['PermissionSet'];

/** Sets that are useful on some accounts or integrations only. */
const restrictions: Partial<Record<Name, PermissionSet['resource_restrictions']>> = {
  'account-manager': ['accounts', 'integrations'],
  'connect-ui': ['accounts', 'integrations'],
  'integration-dry-run': ['accounts', 'integrations'],
  'mcp-integrations-use-only': ['accounts', 'integrations'],
  'mcp-integrations-dry-run': ['accounts', 'integrations'],
};

/** `/v1/permissionsets`: permissions of the built-in permission sets. */
@Controller()
export class PermissionSetsHandlers {
  @Handles('permissionset_list')
  list(): Reply<'permissionset_list'> {
    return { result: (Object.keys(permissionSets) as Name[]).map(viewOf) };
  }

  @Handles('permissionset_get')
  get(call: Call<'permissionset_get'>): Reply<'permissionset_get'> {
    const name = call.path.permissionsetId;
    if (!Object.hasOwn(permissionSets, name))
      throw new ApiError(404, `unknown permission set "${name}"`, {
        remediation: `Use one of ${Object.keys(permissionSets).join(', ')}.`,
      });
    return { result: viewOf(name) };
  }
}

/** The sets are those of the program, and each view decides about every operation three times. */
const views = new Map<Name, PermissionSet>();

function viewOf(name: Name): PermissionSet {
  const view = views.get(name) ?? makeView(name);
  views.set(name, view);
  return view;
}

function makeView(name: Name): PermissionSet {
  const { description, grants } = permissionSets[name];
  const keys = Object.entries(grants).map(([key, actions]) => [key, { actions: [...actions] }]);
  const restricted = restrictions[name];
  return {
    name,
    description,
    ...(restricted ? { resource_restrictions: restricted } : {}),
    permissions: Object.fromEntries(keys) as PermissionSet['permissions'],
    operations: operationsOf({ permissionSet: name }),
    operations_in_accounts: operationsOf({ permissionSet: name, accounts: { ids: [] } }),
    operations_in_domains: operationsOf({ permissionSet: name, categories: [] }),
  };
}

/** Ids of the operations of the management API that a permission allows. */
function operationsOf(permission: CallerPermission): string[] {
  return [...operations.values()]
    .filter((one) => one.side === 'management' && allows(permission, one))
    .map(({ id }) => id);
}
