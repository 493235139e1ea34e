import { bodyFields, type Fault, operationOf, type OperationId, validateBody } from '#contract';
import type { KnownMembers, PatchOperation } from '#patch';
import { applyPatch } from './patch.js';

/**
 * Patches a record in its wire shape by the contract's rules: read-only fields cannot change, unknown ones are refused, and the result must
 * be a valid body of the update operation of the same record.
 * @param free fields whose members are checked elsewhere
 */
export function patchRecord<T extends object>(
  record: T,
  patch: readonly PatchOperation[],
  operations: { patch: OperationId; update: OperationId; free?: readonly string[] },
): T {
  const update = operationOf(operations.update);
  return applyPatch(record, patch, {
    readOnly: operationOf(operations.patch).readOnly,
    known: membersOf(operations.update, operations.free),
    validate: (candidate): Fault[] => validateBody(update, candidate),
  });
}

/** Returns the members that a record may have by the contract. */
export function membersOf(update: OperationId, free: readonly string[] = []): KnownMembers {
  const known = bodyFields(update) ?? true;
  if (known === true) return true;
  return { ...known, ...Object.fromEntries(free.map((field) => [field, true as const])) };
}
