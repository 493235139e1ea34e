import { isDeepStrictEqual } from 'node:util';
import { ApiError, type Fault } from '#contract';
import { applyPatch as applyOperations, type Operation } from 'rfc6902';
import { fault, faults } from './faults.js';
import { isAtOrBelow, parsePointer, valuesAt } from './pointers.js';

/** One element of a PATCH body, as the contract lets it through. */
export interface PatchOperation {
  op: 'add' | 'copy' | 'move' | 'remove' | 'replace' | 'test';
  path: string;
  from?: string | null | undefined;
  value?: unknown;
}

/** What a patch may do to a record. */
export interface PatchRules {
  /** JSON Pointers of fields only the service writes; `*` stands for any key or index. */
  readOnly: readonly string[];
  /** Faults of the patched record, with pointers into the record. */
  validate: (candidate: unknown) => Fault[];
}

const mostOperations = 1000;
const unsafeTokens = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Applies a JSON Patch (RFC 6902) to a copy of a record, all operations or none. A failed `test` is a 409; everything else
 * that is wrong is a 400 that points at the element of the body.
 */
export function applyPatch<T extends object>(
  record: T,
  operations: readonly PatchOperation[],
  rules: PatchRules,
): T {
  if (operations.length > mostOperations)
    throw fault('', `the patch has ${operations.length} operations`, {
      remediation: `send at most ${mostOperations} operations in one request`,
    });
  const readOnly = rules.readOnly.map((pointer) => parsePointer(pointer) ?? []);
  const candidate = structuredClone(record);
  for (const [index, operation] of operations.entries()) {
    checkShape(operation, index);
    checkReadOnly(operation, index, readOnly);
    applyOne(candidate, operation, index);
  }
  checkUntouched(record, candidate, readOnly);
  const found = rules.validate(candidate);
  if (found.length > 0) throw faults(found.map((one) => blame(one, operations)));
  return candidate;
}

/** Refuses an operation that lacks what its kind needs. */
export function checkShape(operation: PatchOperation, index: number): void {
  checkPointer(operation.path, `/${index}/path`);
  if (operation.op === 'copy' || operation.op === 'move') {
    if (operation.from === undefined || operation.from === null)
      throw fault(`/${index}/from`, `${operation.op} needs from`, {
        remediation: `add "from" with the JSON Pointer of the field to ${operation.op}`,
      });
    checkPointer(operation.from, `/${index}/from`);
    if (operation.op === 'move' && operation.path.startsWith(`${operation.from}/`))
      throw fault(`/${index}/path`, `${operation.from} cannot be moved into itself`, {
        value: operation.path,
      });
  } else if (operation.op !== 'remove' && !Object.hasOwn(operation, 'value')) {
    throw fault(`/${index}/value`, `${operation.op} needs a value`, {
      remediation: 'add "value"; null is a value too',
    });
  }
}

function checkPointer(text: string, at: string): void {
  const tokens = parsePointer(text);
  if (tokens === undefined)
    throw fault(at, `${JSON.stringify(text)} is not a JSON Pointer`, {
      value: text,
      remediation: 'start with / and write ~0 for ~ and ~1 for /, as RFC 6901 says',
    });
  if (tokens.some((token) => unsafeTokens.has(token)))
    throw fault(at, `${text} names no field`, { value: text });
}

function checkReadOnly(operation: PatchOperation, index: number, readOnly: string[][]): void {
  const written: [string, string][] = operation.op === 'test' ? [] : [['path', operation.path]];
  if (operation.op === 'move') written.push(['from', operation.from ?? '']);
  for (const [member, pointer] of written)
    if (readOnly.some((pattern) => isAtOrBelow(parsePointer(pointer) ?? [], pattern)))
      throw fault(`/${index}/${member}`, `${pointer} is read-only`, {
        value: pointer,
        remediation: 'leave it out: the service writes this field itself',
      });
}

function applyOne(candidate: object, operation: PatchOperation, index: number): void {
  for (const member of ['from', 'path'] as const) {
    const pointer = operation[member];
    const mustExist = member === 'from' ? usesFrom(operation) : operation.op !== 'add';
    if (typeof pointer !== 'string' || !mustExist) continue;
    if (member === 'path' && usesFrom(operation)) continue;
    if (valuesAt(candidate, literal(pointer)).length === 0) throw missing(operation, index, member);
  }
  if (!hasParent(candidate, operation.path)) throw missing(operation, index, 'path');
  if (operation.op === 'test') return compare(candidate, operation, index);
  const [failure] = applyOperations(candidate, [operation as Operation]);
  if (failure) throw missing(operation, index, 'path');
}

/** The library writes both values into its error as text, which fails on some that a stranger can send: `{"toString": 1}`. */
function compare(candidate: object, { path, value }: PatchOperation, index: number): void {
  const [found] = valuesAt(candidate, literal(path));
  if (isDeepStrictEqual(found?.value, structuredClone(value))) return; // a clone as the candidate is one
  throw new ApiError(
    409,
    `${path || 'the whole record'} does not have the value the patch tests for`,
    {
      context: { parameter: { id: `/${index}`, location: 'body' } },
      remediation: 'read the record again and decide anew',
    },
  );
}

/** What lies below a text or a number can be neither read nor written. */
function hasParent(candidate: object, path: string): boolean {
  const parent = valuesAt(candidate, literal(path).slice(0, -1))[0]?.value;
  return typeof parent === 'object' && parent !== null;
}

function usesFrom(operation: PatchOperation): boolean {
  return operation.op === 'copy' || operation.op === 'move';
}

/** A pointer's tokens as a pattern; a key that is `*` itself is nobody's field and stays unmatched. */
function literal(pointer: string): string[] {
  return (parsePointer(pointer) ?? []).map((token) => (token === '*' ? '\u0000' : token));
}

function missing(operation: PatchOperation, index: number, member: 'from' | 'path'): ApiError {
  const pointer = operation[member] ?? '';
  if (operation.op === 'test')
    return new ApiError(409, `${pointer} does not exist, so its value cannot be tested`, {
      context: { parameter: { id: `/${index}/${member}`, location: 'body', value: pointer } },
      remediation: 'read the record again and decide anew',
    });
  return fault(
    `/${index}/${member}`,
    `${pointer || 'the whole record'} cannot be reached by ${operation.op}`,
    {
      value: pointer,
      remediation:
        operation.op === 'replace'
          ? 'a field that is not there yet is set by add'
          : 'name a field that exists',
    },
  );
}

/** The paths were looked at one by one; this catches what replaces a parent, or the whole record, of a read-only field. */
function checkUntouched(before: object, after: object, readOnly: string[][]): void {
  for (const pattern of readOnly) {
    const old = valuesAt(before, pattern);
    if (isDeepStrictEqual(old, valuesAt(after, pattern))) continue;
    const name = pattern.join('/');
    throw fault('', `the patch changes /${name}, which is read-only`, {
      remediation: 'the service writes this field itself: patch the fields beside it one by one',
    });
  }
}

/** A fault of the patched record as a fault of the operation that last touched its place. */
function blame(found: Fault, operations: readonly PatchOperation[]): Fault {
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
