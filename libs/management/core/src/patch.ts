import { ApiError, type Fault } from '#contract';
import {
  applyPatch as applyOperations,
  isAtOrBelow,
  type KnownMembers,
  parsePointer,
  PatchError,
  type PatchOperation,
} from '#patch';
import { fault, faults } from './faults.js';

/** Limits of a patch to a record. */
export interface PatchRules {
  /** JSON Pointers of fields that only the service writes; `*` matches any key or index. */
  readOnly: readonly string[];
  /** The members that an operation may write. */
  known: KnownMembers;
  /** Finds the faults of the patched record, with pointers into the record. */
  validate: (candidate: unknown) => Fault[];
}

/**
 * Applies a JSON Patch (RFC 6902) to a copy of a record, all operations or none. A failed `test` is a 409; any other
 * error is a 400 that points at the element of the body.
 */
export function applyPatch<T extends object>(
  record: T,
  operations: readonly PatchOperation[],
  rules: PatchRules,
): T {
  const readOnly = rules.readOnly.map((pointer) => parsePointer(pointer) ?? []);
  const candidate = withApiErrors(() => applyOperations(record, operations, readOnly, rules.known));
  const found = rules.validate(candidate);
  if (found.length > 0) throw faults(found.map((one) => toCausingOperation(one, operations)));
  return candidate;
}

function withApiErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const { message, pointer, reason, remediation, value } = error;
    const shown = {
      ...(value === undefined ? {} : { value }),
      ...(remediation === undefined ? {} : { remediation }),
    };
    if (reason === 'invalid') throw fault(pointer, message, shown);
    throw new ApiError(409, message, {
      context: {
        parameter: { id: pointer, location: 'body', ...(value === undefined ? {} : { value }) },
      },
      ...(remediation === undefined ? {} : { remediation }),
    });
  }
}

/** Moves a fault of the patched record to the last operation that changed its place. */
function toCausingOperation(found: Fault, operations: readonly PatchOperation[]): Fault {
  const place = parsePointer(found.pointer) ?? [];
  const index = operations.findLastIndex(({ op, path }) => {
    const written = parsePointer(path) ?? [];
    return op !== 'test' && (isAtOrBelow(place, written) || isAtOrBelow(written, place));
  });
  if (index < 0) return { ...found, pointer: '' };
  const member = operations[index]?.op === 'remove' ? 'path' : 'value';
  return {
    ...found,
    pointer: `/${index}/${member}`,
    message: `${found.pointer}: ${found.message}`,
  };
}
