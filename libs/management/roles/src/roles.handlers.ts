import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type Caller, forbidden, isWithin, type Reply } from '#contract';
import {
  changedNames,
  checkDescription,
  fault,
  ManagementContext,
  newRecord,
  RecordHandlers,
} from '#management/core';
import {
  builtInRoles,
  checkHasAdministrator,
  resolveResources,
  rolePermission,
} from '#management/tokens';
import { kinds, memberQueries, type Role, tokenQueries, type Transaction } from '#store';
import { type RoleBody, roleView } from './role-view.js';

/** `/v1/roles`: what members may do, and where. */
@Controller()
export class RolesHandlers {
  private readonly records: RecordHandlers<Role, RoleBody>;

  constructor(private readonly context: ManagementContext) {
    this.records = new RecordHandlers(context, {
      kind: kinds.roles,
      called: 'role',
      view: roleView,
      operations: { patch: 'roles_patch', update: 'roles_update' },
      store: (tx, role, body, caller) => this.store(tx, role, body, caller),
      remove: (tx, role, caller) => this.remove(tx, role, caller),
    });
  }

  @Handles('roles_list')
  async list(call: Call<'roles_list'>): Promise<Reply<'roles_list'>> {
    return await this.records.list(call);
  }

  @Handles('roles_get')
  async get(call: Call<'roles_get'>): Promise<Reply<'roles_get'>> {
    return await this.records.get(call, call.path.roleId);
  }

  @Handles('roles_create')
  async create(call: Call<'roles_create'>): Promise<Reply<'roles_create'>> {
    const { body, caller } = call;
    return await this.context.create(call, async (tx) => {
      const id = this.context.ids.next(kinds.roles);
      const role: Role = {
        ...(await newRecord(this.context, tx, tx.roles, { ...body, id })),
        ...(await content(tx, body)),
      };
      checkRoleName(role.name);
      checkWidth(role, caller);
      return { result: roleView(await tx.roles.insert(role)) };
    });
  }

  @Handles('roles_update')
  async update(call: Call<'roles_update'>): Promise<Reply<'roles_update'>> {
    return await this.records.update(call, call.path.roleId);
  }

  @Handles('roles_patch')
  async patch(call: Call<'roles_patch'>): Promise<Reply<'roles_patch'>> {
    return await this.records.patch(call, call.path.roleId);
  }

  /**
   * Deletes a role. "Deleting a Role also deletes its tokens and credentials": tokens that are bound to it. Credentials
   * belong to accounts, integrations, points and webhooks, so a role has none. It is removed from members, or they
   * would get a later role of its name.
   */
  @Handles('roles_delete')
  async delete(call: Call<'roles_delete'>): Promise<Reply<'roles_delete'>> {
    await this.records.delete(call, call.path.roleId);
    return undefined as Reply<'roles_delete'>;
  }

  private async remove(tx: Transaction, role: Role, caller: Caller): Promise<void> {
    checkWidth(role, caller);
    await tokenQueries.deleteWithRole(tx, role.name);
    await memberQueries.removeRole(tx, role.name);
    await tx.roles.delete(role);
    await checkHasAdministrator(tx, this.context.now());
  }

  private async store(
    tx: Transaction,
    role: Role,
    body: RoleBody,
    caller: Caller,
  ): Promise<RoleBody> {
    const changed: Role = {
      ...role,
      ...changedNames(this.context, role, body),
      ...(await content(tx, body)),
    };
    checkRoleName(changed.name);
    // Both the old and the new role are checked: changing a wider role would change the permissions of others.
    checkWidth(role, caller);
    checkWidth(changed, caller);
    await tx.roles.save(changed);
    if (changed.name !== role.name) await memberQueries.renameRole(tx, role.name, changed.name);
    await checkHasAdministrator(tx, changed.updatedAt);
    return roleView(changed);
  }
}

async function content(
  tx: Transaction,
  body: Pick<RoleBody, 'description' | 'resources' | 'permission_set'>,
) {
  return {
    description: checkDescription(body.description),
    resources: body.resources ? await resolveResources(tx, body.resources) : null,
    permissionSet: body.permission_set,
  };
}

function checkRoleName(name: string): void {
  if (Object.hasOwn(builtInRoles, name))
    throw fault('/name', 'is the name of a built-in role', {
      value: name,
      remediation: `Choose another name than ${Object.keys(builtInRoles).join(', ')}.`,
    });
}

function checkWidth(role: Role, { permissions }: Caller): void {
  if (isWithin(rolePermission(role), permissions)) return;
  throw forbidden(
    'the role permits more than the token that creates it',
    'Choose resources and a permission set that the calling token has.',
  );
}
