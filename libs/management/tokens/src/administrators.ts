import { conflict, isUnlimited } from '#contract';
import { memberQueries, type Transaction } from '#store';
import { permissionsOfRoles } from './token-permissions.js';

/** Returns a member who administers the organization now; undefined without one. */
export async function findAdministrator(tx: Transaction, now: Date): Promise<string | undefined> {
  const members = await memberQueries.listBindings(tx, now);
  for (const { id, role_binding: names } of members) {
    const permissions = await permissionsOfRoles(tx, names);
    if (permissions.some((one) => one.permissionSet === 'administrator' && isUnlimited(one)))
      return id;
  }
  return undefined;
}

/**
 * Checks after a change of members or roles that the organization has an administrator. Such changes run one at a time,
 * or two could each remove the other's last administrator.
 * @throws ApiError 409
 */
export async function checkHasAdministrator(tx: Transaction, now: Date): Promise<void> {
  await tx.organization(true);
  if ((await findAdministrator(tx, now)) !== undefined) return;
  throw conflict(
    'the organization would have no administrator',
    'Give another member the role administrator first.',
  );
}
