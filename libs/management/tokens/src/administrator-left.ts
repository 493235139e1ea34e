import { conflict, isUnlimited } from '#contract';
import type { Transaction } from '#store';
import { permissionsOfRoles } from './token-permissions.js';

/**
 * After a change of members or roles: somebody still administers the organization. One such change runs at a time, or two
 * could each take away the other's last one. @throws ApiError 409
 */
export async function checkAdministratorLeft(tx: Transaction, now: Date): Promise<void> {
  await tx.organization(true);
  const bindings = await tx.query<{ role_binding: string[] }>(
    `select distinct role_binding from members
      where organization_id = $1 and expires > $2 and (state not in ('disabled', 'locked') or locked_until is not null)`,
    [tx.scope.organizationId, now],
  );
  for (const { role_binding: names } of bindings) {
    const permissions = await permissionsOfRoles(tx, names);
    if (permissions.some((one) => one.permissionSet === 'administrator' && isUnlimited(one)))
      return;
  }
  throw conflict(
    'no member would be left who administers the organization',
    'Give another member the role administrator first.',
  );
}
