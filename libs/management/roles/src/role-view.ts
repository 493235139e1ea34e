import type { ManagementSchemas } from '#contract';
import { recordView } from '#management/core';
import type { Role } from '#store';

export type RoleBody = ManagementSchemas['RoleDefinition'];

/** A role in responses. */
export function roleView(role: Role): RoleBody {
  return {
    ...recordView(role),
    ...(role.description === null ? {} : { description: role.description }),
    ...(role.resources === null ? {} : { resources: role.resources }),
    permission_set: role.permissionSet as RoleBody['permission_set'],
  };
}
