import { argumentTypeCheck } from '../closures/arguments.js';
import { caught } from '../closures/compile-fallbacks.js';
import { assignPath, deletePath, setMetadata } from '../language/assign.js';
import { arithmetic, comparison, negate, truth } from '../language/operators.js';
import { inContext, type Run } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import {
  clone,
  Deleted,
  equal,
  getKey,
  isObject,
  Nothing,
  type ObjectValue,
  setKey,
  sortedKeys,
  typeName,
  type Value,
  wrongType,
} from '../language/values.js';
import { fastFormat, fastReplace } from './texts.js';

function isMark(value: Value): boolean {
  return value === Deleted || value === Nothing;
}

/** True for a root that nothing was put into yet. */
export function isFresh(root: Value): boolean {
  if (typeof root === 'symbol' || root === null || root === undefined) return true;
  if (!isObject(root)) return false;
  for (const key in root) if (Object.hasOwn(root, key)) return false;
  return true;
}

function assign(root: Value, path: readonly string[], value: Value): Value {
  if (value === Nothing) return root;
  return value === Deleted ? deletePath(root, path) : assignPath(root, path, value);
}

/** Assignments one after the other, as they stand in the template; none is in the way of another. */
function assignAll(
  root: Value,
  paths: readonly (readonly string[])[],
  values: readonly Value[],
): Value {
  let result = root;
  for (const [index, path] of paths.entries()) result = assign(result, path, values[index]);
  return result;
}

/** The functions that generated code calls, by the names it uses. */
export const runtime = {
  Array,
  Deleted,
  Nothing,
  RunError,
  arithmetic,
  assign,
  assignAll,
  clone,
  comparison,
  equal,
  fastFormat,
  fastReplace,
  isMark,
  setKey,
  setMetadata,
  sortedKeys,
  truth,
  wrongType,
  isArray: Array.isArray,
  isSafeInteger: Number.isSafeInteger,
  check: argumentTypeCheck,
  exhausted: (run: Run): void => run.refuel(),
  caught,
  located: (error: unknown, prefixes: readonly string[], at: number): unknown => {
    const prefix = prefixes[at] ?? '';
    return prefix === '' ? error : inContext(error, prefix);
  },
  inContext,
  unresolved: (error: unknown, key: string): unknown =>
    inContext(error, `failed to resolve '${key}' value`),
  unchecked: (error: unknown, index: number): unknown =>
    inContext(error, `failed to check match case ${index}`),
  unprocessed: (error: unknown, keys: readonly string[] | null, index: number): unknown =>
    inContext(error, `failed to process element ${keys === null ? index : keys[index]}`),
  undefinedVariable: (name: string) => new RunError(`variable '${name}' undefined`),
  notBool: (value: Value) => new RunError(`expected bool value, got ${typeName(value)}`),
  notCondition: (value: Value) =>
    new RunError(`if condition resolved to a non-boolean value (${typeName(value)})`),
  notStatementCondition: (value: Value) =>
    new RunError(`resolved to a non-boolean value (${typeName(value)})`),
  notKey: (value: Value) =>
    new RunError(`expected string value as object key, got ${typeName(value)}`),
  negate,
  everyElement: (value: Value): Value => (Array.isArray(value) ? value : getKey(value, '*')),
  /** The same object without the fields that are marks. */
  compact: (object: ObjectValue): ObjectValue => {
    const result: ObjectValue = {};
    for (const key of Object.keys(object)) if (!isMark(object[key])) result[key] = object[key];
    return result;
  },
  variable: (run: Run, name: string): Value => {
    const value = run.variables.get(name);
    if (value === undefined) throw new RunError(`variable '${name}' undefined`);
    return value;
  },
  setVariable: (run: Run, name: string, value: Value): void => {
    if (value === Deleted) run.variables.delete(name);
    else if (value !== Nothing) run.variables.set(name, value);
  },
  metadataOf: (run: Run): Value => clone(run.metadata),
  metadata: (run: Run, key: string): Value => getKey(run.metadata, key),
  /** The keys of what is walked over by key; null for an array, which has none. */
  keysOf: (target: Value): string[] | null => {
    if (Array.isArray(target)) return null;
    if (isObject(target)) return sortedKeys(target);
    throw wrongType('array or object', target);
  },
  entriesOf: (run: Run, target: ObjectValue, keys: readonly string[]): Value[] => {
    run.holdFields(2 * keys.length);
    return keys.map((key) => ({ key, value: target[key] }));
  },
} as const;

export type Helper = keyof typeof runtime;
