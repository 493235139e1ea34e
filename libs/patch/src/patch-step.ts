import { PatchError, type PatchMember, placeInPatch } from './patch-error.js';
import { formatPointer, parsePointer } from './pointer.js';

/** One element of a PATCH body that is valid by the contract. */
export interface PatchOperation {
  op: 'add' | 'copy' | 'move' | 'remove' | 'replace' | 'test';
  path: string;
  from?: string | null | undefined;
  value?: unknown;
}

/** A valid operation with parsed pointers. */
export interface PatchStep {
  index: number;
  op: PatchOperation['op'];
  path: readonly string[];
  /** Empty for operations that do not use it. */
  from: readonly string[];
  value: unknown;
}

const names: ReadonlySet<unknown> = new Set(['add', 'copy', 'move', 'remove', 'replace', 'test']);

/** Parses one operation of a patch. @throws PatchError when a member is missing or invalid */
export function readStep(operation: unknown, index: number): PatchStep {
  const refuse = (member: PatchMember, message: string, remediation: string) =>
    new PatchError(message, placeInPatch(index, member), 'invalid', remediation);
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation))
    throw refuse('', 'a patch operation must be an object', 'Write {"op": …, "path": …}.');
  const { op, path, from, value } = own(operation);
  if (!names.has(op))
    throw refuse('op', 'is not a valid operation', `Use ${[...names].join(', ')}.`);
  const step = {
    index,
    op: op as PatchOperation['op'],
    path: readPointer(path, index, 'path'),
    from: [] as readonly string[],
    value,
  };
  if (op === 'copy' || op === 'move') {
    if (from === undefined || from === null)
      throw refuse(
        'from',
        `${op} needs from`,
        `Add "from": the JSON Pointer of the field to ${op}.`,
      );
    step.from = readPointer(from, index, 'from');
    if (op === 'move' && isBelow(step.path, step.from))
      throw refuse(
        'path',
        `${formatPointer(step.from)} cannot be moved into itself`,
        'Choose another path.',
      );
  } else if (op !== 'remove' && !Object.hasOwn(operation, 'value')) {
    throw refuse('value', `${String(op)} needs a value`, 'Add "value"; null is a value too.');
  }
  return step;
}

function isBelow(pointer: readonly string[], parent: readonly string[]): boolean {
  return pointer.length > parent.length && parent.every((token, at) => token === pointer[at]);
}

/** Inherited properties are not part of what was sent. */
function own(operation: object): Partial<Record<string, unknown>> {
  return Object.assign(Object.create(null), operation) as Partial<Record<string, unknown>>;
}

function readPointer(text: unknown, index: number, member: 'path' | 'from'): string[] {
  const tokens = typeof text === 'string' ? parsePointer(text) : undefined;
  if (tokens !== undefined) return tokens;
  throw new PatchError(
    `${JSON.stringify(text) ?? 'nothing'} is not a JSON Pointer`,
    placeInPatch(index, member),
    'invalid',
    'Start with / and write ~0 for ~ and ~1 for /, as RFC 6901 says.',
    typeof text === 'string' ? text : undefined,
  );
}
