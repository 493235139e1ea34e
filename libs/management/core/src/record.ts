import type { Records, TenantRecord, Transaction } from '#store';
import { fault } from './faults.js';
import type { ManagementContext } from './management-context.js';
import { checkFullname, checkName, chooseNames, type GivenNames } from './names.js';

/**
 * Returns the fields of a new record. A derived name that is taken gets a number.
 * @param within where the name must be unique, if not in the whole organization
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

/** Returns the fields that every update of a record changes. @throws ApiError 400 for an invalid name */
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

/** Checks the id in the body. @throws ApiError 400 if it is not the id of the path */
export function checkId(body: { id: string }, { id }: { id: string }, kind: string): void {
  if (body.id !== id)
    throw fault('/id', `is not the id of the ${kind} in the path`, { value: body.id });
}

/** Fields of every record in responses. */
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
