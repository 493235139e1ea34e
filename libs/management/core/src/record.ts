import type { Records, TenantRecord, Transaction } from '#store';
import { fault } from './faults.js';
import type { ManagementContext } from './management-context.js';
import { checkFullname, checkName, chooseNames, type GivenNames } from './names.js';

/**
 * What every new record has. A name that nobody asked for gets a number where it is taken.
 * @param within where its name has to be the only one, when that is not the organization
 */
export async function newRecord<Entity extends TenantRecord>(
  context: ManagementContext,
  tx: Transaction,
  records: Records<Entity>,
  { id, ...given }: GivenNames & { id: string },
  within: Partial<Entity> = {},
): Promise<TenantRecord> {
  const { name, fullname, derived } = chooseNames(given, id);
  const now = context.now();
  return {
    id,
    organizationId: tx.scope.organizationId,
    name: derived ? await records.freeName(name, within) : name,
    fullname,
    createdAt: now,
    updatedAt: now,
  };
}

/** What every update of a record changes. @throws ApiError 400 for a name that cannot be one */
export function changedNames(
  context: ManagementContext,
  { id }: { id: string },
  body: { name: string; fullname: string },
): Pick<TenantRecord, 'name' | 'fullname' | 'updatedAt'> {
  return {
    name: checkName(body.name, id),
    fullname: checkFullname(body.fullname),
    updatedAt: context.now(),
  };
}

/** @throws ApiError 400 when an update names another record than the path */
export function checkId(body: { id: string }, { id }: { id: string }, kind: string): void {
  if (body.id !== id)
    throw fault('/id', `is not the id of the ${kind} in the path`, { value: body.id });
}

/** What answers show of every record. */
export function recordView({
  id,
  name,
  fullname,
  createdAt,
  updatedAt,
}: Omit<TenantRecord, 'organizationId'>) {
  return {
    id,
    name,
    fullname,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
