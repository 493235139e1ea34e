import {
  badRequest,
  type Fault,
  type Operation,
  type OperationId,
  operations,
  validateBody,
} from '#contract';
import { applyPatch, type KnownMembers, PatchError } from '#patch';
import type { ProviderRecord } from '../provider-record.js';

/**
 * Applies a JSON Patch to a record in our shape. Read-only fields cannot be changed, unknown ones are refused, and the result must be valid as
 * a new record.
 * @throws ApiError 400 that points at the element of the body
 */
export function patchRecord(
  record: ProviderRecord,
  patch: unknown,
  rules: {
    readOnly: readonly string[];
    known: KnownMembers;
    create: Operation | undefined;
  },
): ProviderRecord {
  const candidate = patched(record, patch, rules);
  // Records of custom operations have no shape in the contract.
  const faults =
    rules.create?.request === 'json' && !rules.create.id.startsWith('custom_')
      ? newFaults(rules.create, record, candidate)
      : [];
  if (faults.length > 0) throw badRequest(faults);
  return candidate;
}

/** Returns the create operation of the records that an operation writes. */
export function createOf({ id }: Operation): Operation | undefined {
  return operations.get(id.replace('_patch_', '_create_') as OperationId);
}

function patched(
  record: ProviderRecord,
  patch: unknown,
  { readOnly, known }: { readOnly: readonly string[]; known: KnownMembers },
): ProviderRecord {
  if (!Array.isArray(patch))
    throw badRequest({
      location: 'body',
      pointer: '',
      message: 'must be a JSON Patch',
      remediation: 'Send a list of operations, such as [{"op": "replace", "path": …, "value": …}].',
    });
  try {
    return applyPatch(
      record,
      patch,
      readOnly.map((field) => [field]),
      known,
    );
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const { message, pointer, remediation, value } = error;
    throw badRequest({
      location: 'body',
      pointer,
      message,
      ...(remediation === undefined ? {} : { remediation }),
      ...(value === undefined ? {} : { value }),
    });
  }
}

/** Finds errors that the patch has caused, as opposed to those that the provider's record had before. */
function newFaults(create: Operation, before: ProviderRecord, after: ProviderRecord): Fault[] {
  const known = new Set(validateBody(create, before).map(({ pointer }) => pointer));
  return validateBody(create, after).filter(({ pointer }) => !known.has(pointer));
}
