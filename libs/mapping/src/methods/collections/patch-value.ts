import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import { isObject, type ObjectValue, setKey, typeName, type Value } from '../../language/values.js';
import { copy } from './copy.js';

/** One change of a changelog. */
export interface Change {
  kind: 'create' | 'update' | 'delete';
  path: readonly string[];
  from: Value;
  to: Value;
}

/**
 * A value with changes. Indexes of arrays mean the arrays before any change: elements are changed in place, then deleted, then
 * created where they are named or at the end. So what `diff` found makes the other value, arrays up to their order.
 */
export function patchValue(value: Value, changes: readonly Change[], run: Run): Value {
  return at(value, changes, 0, run);
}

function at(value: Value, changes: readonly Change[], depth: number, run: Run): Value {
  run.spend(changes.length + 1);
  const whole = changes.findLast(({ path }) => path.length === depth);
  const base = whole === undefined ? value : whole.kind === 'delete' ? null : copy(whole.to, run);
  const inner = byKey(changes, depth);
  if (inner.size === 0) return base;
  if (Array.isArray(base)) return inArray(base as Value[], inner, depth, run);
  if (isObject(base)) return inObject(base, inner, depth, run);
  const [change] = changes;
  throw new RunError(
    `no change is possible at ${change?.path.join('.')}: ${change?.path.slice(0, depth).join('.') || 'the root'} is ${typeName(base)}`,
  );
}

function byKey(changes: readonly Change[], depth: number): Map<string, Change[]> {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const key = change.path[depth];
    if (key === undefined) continue;
    const known = groups.get(key);
    if (known) known.push(change);
    else groups.set(key, [change]);
  }
  return groups;
}

/** Returns what the last change of a place does to it; undefined when changes lie only further in. */
const kindAt = (changes: readonly Change[], depth: number): Change['kind'] | undefined =>
  changes.findLast(({ path }) => path.length === depth)?.kind;

function inObject(
  object: ObjectValue,
  groups: Map<string, Change[]>,
  depth: number,
  run: Run,
): ObjectValue {
  const result: ObjectValue = { ...object };
  for (const [key, changes] of groups)
    if (kindAt(changes, depth + 1) === 'delete') delete result[key];
    else
      setKey(
        result,
        key,
        at(Object.hasOwn(object, key) ? object[key] : null, changes, depth + 1, run),
      );
  return result;
}

function inArray(
  list: readonly Value[],
  groups: Map<string, Change[]>,
  depth: number,
  run: Run,
): Value[] {
  run.array(list.length + groups.size);
  const kept: Value[] = [...list];
  const deleted = new Set<number>();
  const created: [index: number, value: Value][] = [];
  for (const [key, changes] of groups) {
    const index = indexOf(key, list);
    const kind = kindAt(changes, depth + 1);
    if (kind === 'delete') deleted.add(index);
    else if (kind === 'create') created.push([index, at(null, changes, depth + 1, run)]);
    else if (index < list.length) kept[index] = at(list[index], changes, depth + 1, run);
    else throw new RunError(`the array has no element ${index} to change, it has ${list.length}`);
  }
  return merged(
    kept.filter((_one, index) => !deleted.has(index)),
    created.sort(([a], [b]) => a - b),
  );
}

/** A list with further elements, each at its index, or at the end when the list is shorter. */
function merged(list: readonly Value[], more: readonly [index: number, value: Value][]): Value[] {
  const result: Value[] = [];
  let next = 0;
  for (const [place, value] of more) {
    for (; result.length < place && next < list.length; next += 1) result.push(list[next]);
    result.push(value);
  }
  for (; next < list.length; next += 1) result.push(list[next]);
  return result;
}

function indexOf(key: string, list: readonly Value[]): number {
  if (!/^\d{1,9}$/.test(key))
    throw new RunError(
      `${JSON.stringify(key.slice(0, 60))} is not an index of an array of ${list.length} elements`,
    );
  return Number(key);
}
