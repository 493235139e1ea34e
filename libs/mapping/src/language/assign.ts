import type { Run } from './run.js';
import { RunError } from './run-error.js';
import {
  Deleted,
  isObject,
  Nothing,
  type ObjectValue,
  setKey,
  typeName,
  type Value,
} from './values.js';

const highestIndex = 100_000;

/** Sets what lies at a path, making objects on the way. @returns the root. @throws RunError when a scalar is in the way. */
export function assignPath(root: Value, path: readonly string[], value: Value): Value {
  const [key] = path;
  if (key === undefined) return value;
  const start = isContainer(root) ? root : emptyIf(root, path, 0);
  let at: Value = start;
  for (const [index, segment] of path.entries()) {
    if (index === path.length - 1) {
      put(at, segment, value);
      break;
    }
    const next = read(at, segment);
    if (isContainer(next)) at = next;
    else {
      const made = emptyIf(next, path, index + 1);
      put(at, segment, made);
      at = made;
    }
  }
  return start;
}

/** Removes what lies at a path; of the whole root, what is left is the mark. */
export function deletePath(root: Value, path: readonly string[]): Value {
  if (path.length === 0) return Deleted;
  // Removing a field makes an object of a missing root, as setting one does.
  if (root === Nothing) return {};
  let at: Value = root;
  for (const segment of path.slice(0, -1)) {
    if (!isContainer(at)) return root;
    at = read(at, segment);
  }
  const last = path.at(-1) ?? '';
  if (Array.isArray(at)) {
    if (/^\d+$/.test(last) && Number(last) < at.length) at.splice(Number(last), 1);
  } else if (isObject(at)) delete at[last];
  return root;
}

function isContainer(value: Value): value is ObjectValue | Value[] {
  return Array.isArray(value) || isObject(value);
}

function emptyIf(value: Value, path: readonly string[], index: number): ObjectValue {
  if (value === null || value === undefined || value === Nothing) return {};
  const way = path.slice(0, index).join('.');
  throw new RunError(
    `unable to set target path ${path.join('.')} as the value of ${way || 'root'} was a non-object type (${typeName(value)})`,
  );
}

function read(at: Value, segment: string): Value {
  if (Array.isArray(at)) return /^\d+$/.test(segment) ? (at[Number(segment)] as Value) : undefined;
  const object = at as ObjectValue;
  return Object.hasOwn(object, segment) ? object[segment] : undefined;
}

function put(at: Value, segment: string, value: Value): void {
  if (!Array.isArray(at)) {
    setKey(at as ObjectValue, segment, value);
    return;
  }
  if (segment === '-') {
    at.push(value);
    return;
  }
  const index = /^\d+$/.test(segment) ? Number(segment) : -1;
  if (index < 0 || index > Math.min(at.length, highestIndex))
    throw new RunError(`"${segment}" is not an index of an array of ${at.length} elements`);
  at[index] = value;
}

/** Sets one key of the metadata, or all of it, as `meta` does. @throws RunError with the prefix */
export function setMetadata(run: Run, key: string | undefined, given: Value, prefix: string): void {
  if (given === Nothing) return;
  if (key !== undefined) {
    if (given === Deleted) delete run.metadata[key];
    else setKey(run.metadata, key, given);
  } else if (given === Deleted) run.metadata = {};
  else if (isObject(given)) run.metadata = { ...given };
  else
    throw new RunError(
      `${prefix}: setting root meta object requires object value, received: ${typeName(given)}`,
    );
}
