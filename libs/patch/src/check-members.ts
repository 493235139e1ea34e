import { PatchError, placeInPatch } from './patch-error.js';
import { isPlainObject } from './place.js';
import { formatPointer, isAtOrBelow } from './pointer.js';
import { readStep } from './patch-step.js';
import { isSameValue } from './same-value.js';

/** The members that a value may have: true for any; `*` stands for the items of a list and the names of a map. */
export type KnownMembers = true | { readonly [name: string]: KnownMembers };

/** Maximum number of members that an error proposes. */
const maxProposed = 20;

/**
 * Refuses a patch that writes a member which the record does not have in the contract: nothing would store it, so the caller would
 * take a misspelled name for a success. Members without a value may be sent along, because newer clients do.
 * @throws PatchError that points at the operation
 */
export function checkMembers(
  before: object,
  after: object,
  known: KnownMembers,
  patch: readonly unknown[],
): void {
  const found = findUnknown(known, before, after, []);
  if (found === undefined) return;
  const steps = patch.map((operation, index) => readStep(operation, index));
  const cause = steps.findLast(({ op, path }) => {
    const written = path.map((token) => (token === '-' ? '*' : token)); // the end of a list has an index now
    return op !== 'test' && (isAtOrBelow(found.path, written) || isAtOrBelow(written, found.path));
  });
  const isNamed = cause !== undefined && isAtOrBelow(cause.path, found.path);
  const { names } = found;
  throw new PatchError(
    `${formatPointer(found.path)} is not a known field`,
    cause === undefined ? '' : placeInPatch(cause.index, isNamed ? 'path' : 'value'),
    'invalid',
    names.length === 0
      ? 'Leave it out: nothing can be written here.'
      : `Use one of ${names.slice(0, maxProposed).join(', ')}${names.length > maxProposed ? ' …' : ''}.`,
    isNamed ? formatPointer(cause.path) : undefined,
  );
}

/** Finds the first member that is unknown and not as it was; `names` are those that its object may have. */
function findUnknown(
  known: KnownMembers,
  before: unknown,
  after: unknown,
  path: readonly string[],
): { path: readonly string[]; names: readonly string[] } | undefined {
  if (known === true || before === after) return undefined;
  const isList = Array.isArray(after);
  if (!isList && !isPlainObject(after)) return undefined;
  for (const [name, value] of Object.entries(after)) {
    const was: unknown =
      typeof before === 'object' && before !== null && Object.hasOwn(before, name)
        ? (before as Record<string, unknown>)[name]
        : undefined;
    const isKnown = !isList && name !== '*' && Object.hasOwn(known, name);
    const inner = isKnown ? known[name] : known['*'];
    const here = [...path, name];
    if (inner !== undefined) {
      const found = findUnknown(inner, was, value, here);
      if (found !== undefined) return found;
    } else if (!isList && value !== null && !isSameValue(was, value)) {
      return { path: here, names: Object.keys(known) };
    }
  }
  return undefined;
}
