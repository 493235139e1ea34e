import type { ManagementSchemas } from '#contract';
import type { Role } from '#store';

export type RoleBody = ManagementSchemas['RoleDefinition'];

/** A role as answers show it. */
export function roleView(role: Role): RoleBody {
  return {
    id: role.id,
    name: role.name,
    fullname: role.fullname,
    created_at: role.createdAt.toISOString(),
    updated_at: role.updatedAt.toISOString(),
    ...(role.description === null ? {} : { description: role.description }),
    ...(role.resources === null ? {} : { resources: role.resources }),
    permission_set: role.permissionSet as RoleBody['permission_set'],
  };
}
