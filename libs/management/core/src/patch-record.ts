import { type Fault, operationOf, type OperationId, validateBody } from '#contract';
import type { PatchOperation } from '#patch';
import { applyPatch } from './patch.js';

/**
 * Patches a record in its wire shape by the contract's rules: read-only fields cannot change, and the result must be a
 * valid body of the update operation of the same record.
 */
export function patchRecord<T extends object>(
  record: T,
  patch: readonly PatchOperation[],
  operations: { patch: OperationId; update: OperationId },
): T {
  const update = operationOf(operations.update);
  return applyPatch(record, patch, {
    readOnly: operationOf(operations.patch).readOnly,
    validate: (candidate): Fault[] => validateBody(update, candidate),
  });
}
