import type { ManagementSchemas } from '#contract';
import { cache } from '../../api/query.js';

export type Member = ManagementSchemas['Member'];
export type Role = ManagementSchemas['RoleDefinition'];

export interface NamedRole {
  name: string;
  /** The words for people. */
  fullname: string;
  permissionSet: string;
  resources?: ManagementSchemas['Resources'] | null | undefined;
  isBuiltIn: boolean;
  /** The record of a role that somebody made. */
  role?: Role;
}

/** Roles that every organization has; the list of the API has those that somebody made. */
const builtIn: readonly NamedRole[] = [
  { name: 'administrator', fullname: 'Administrator', permissionSet: 'administrator' },
  { name: 'viewer', fullname: 'Viewer', permissionSet: 'viewer' },
  { name: 'member', fullname: 'Member', permissionSet: 'member' },
].map((one) => ({ ...one, isBuiltIn: true }));
const ofRoot: NamedRole = {
  name: 'root_administrator',
  fullname: 'Administrator of the installation',
  permissionSet: 'administrator',
  isBuiltIn: true,
};

/** All roles that a member of the organization can have. */
export function rolesOf(organizationType: string, own: readonly Role[]): NamedRole[] {
  return [
    ...(organizationType === 'root' ? [ofRoot] : []),
    ...builtIn,
    ...own.map((role) => ({
      name: role.name,
      fullname: role.fullname,
      resources: role.resources,
      role,
      permissionSet: role.permission_set,
      isBuiltIn: false,
    })),
  ];
}

/** Reads the list again after a change. */
export async function readMembersAgain(): Promise<void> {
  await cache.invalidateQueries({ queryKey: ['members_list'] });
}

/** Reads the roles again after a change. */
export async function readRolesAgain(): Promise<void> {
  await cache.invalidateQueries({ queryKey: ['roles_list'] });
}
