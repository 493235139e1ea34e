import type { Query } from '../../libs/mapping/src/language/run.js';
import { RunError } from '../../libs/mapping/src/language/run-error.js';
import type { Parameter } from '../../libs/mapping/src/language/specification.js';
import {
  Deleted,
  Nothing,
  typeName,
  type Value,
  wrongType,
} from '../../libs/mapping/src/language/values.js';
import { build, fieldsOf, kindOf } from './values.js';

/** Fails for an argument of another type than its parameter's. */
export function checkArgument({ name, type, optional }: Parameter, value: Value): void {
  const kind = kindOf(value);
  const allowed: Record<string, boolean> = {
    string: kind === 'string' || kind === 'bytes',
    integer: typeof value === 'bigint' || (kind === 'number' && Number.isFinite(value)),
    number: kind === 'number',
    bool: kind === 'bool',
    array: kind === 'array',
    object: kind === 'object',
  };
  if (allowed[type] ?? true) return;
  if (value === null && optional) return;
  throw new RunError(
    `field ${name}: wrong argument type, expected ${type === 'integer' ? 'number' : type}, got ${typeName(value)}`,
  );
}

/** Letter by letter; a letter that would become two stays. */
function byLetter(change: (letter: string) => string): (target: Value) => Value {
  return onText((text) =>
    [...text]
      .map((letter) => ([...change(letter)].length === 1 ? change(letter) : letter))
      .join(''),
  );
}

function onText(change: (text: string) => string): (target: Value) => Value {
  return (target) => {
    if (kindOf(target) === 'string') return change(target as string);
    if (kindOf(target) === 'bytes')
      return Buffer.from(change(Buffer.from(target as Uint8Array).toString()));
    throw wrongType('string', target);
  };
}

/** Elements with the names failures call them by: of an object in the order of its keys, which ASCII has in common. */
function walked(target: Value): { name: string; element: Value; old: Value }[] {
  if (Array.isArray(target))
    return (target as Value[]).map((element, index) => ({
      name: String(index),
      element,
      old: element,
    }));
  if (kindOf(target) !== 'object') throw wrongType('array or object', target);
  return fieldsOf(target)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, value]) => ({ name: key, element: { key, value }, old: value }));
}

function made(target: Value, kept: { name: string; value: Value }[]): Value {
  if (Array.isArray(target)) return kept.map(({ value }) => value);
  return build(kept.map(({ name, value }) => [name, value]));
}

function mapEach(target: Value, query: Query): Value {
  const kept = walked(target).flatMap(({ name, element, old }) => {
    let value: Value;
    try {
      value = query(element);
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      throw new RunError(`failed to process element ${name}: ${error.message}`);
    }
    if (value === Deleted) return [];
    return [{ name, value: value === Nothing ? old : value }];
  });
  return made(target, kept);
}

function filter(target: Value, query: Query): Value {
  const kept = walked(target).filter(({ element }) => query(element) === true);
  return made(
    target,
    kept.map(({ name, old }) => ({ name, value: old })),
  );
}

function index(target: Value, given: Value): Value {
  if (kindOf(target) !== 'array' && kindOf(target) !== 'bytes') throw wrongType('array', target);
  const list = [...(target as Value[])];
  const wanted = Math.trunc(Number(given));
  const place = wanted < 0 ? list.length + wanted : wanted;
  if (place < 0 || place >= list.length)
    throw new RunError(`index '${String(given)}' was out of bounds for array size: ${list.length}`);
  return list[place];
}

function length(target: Value): Value {
  switch (kindOf(target)) {
    case 'string':
      return Buffer.from(target as string).length;
    case 'bytes':
    case 'array':
      return (target as Value[]).length;
    case 'object':
      return fieldsOf(target).length;
    default:
      throw wrongType('string, array or object', target);
  }
}

type Own = (target: Value, given: readonly Value[]) => Value;

/** The methods that generated code has in place, written anew. */
export const ownMethods: Readonly<Record<string, Own>> = {
  map: (target, [query]) => (query as Query)(target),
  map_each: (target, [query]) => mapEach(target, query as Query),
  filter: (target, [query]) => filter(target, query as Query),
  uppercase: byLetter((letter) => letter.toUpperCase()),
  lowercase: byLetter((letter) => letter.toLowerCase()),
  index: (target, [given]) => index(target, given),
  length,
  array: (target) => (Array.isArray(target) ? (target as Value[]) : [target ?? null]),
  not_null: (target) => {
    if (kindOf(target) === 'null') throw new RunError('value is null');
    return target;
  },
};
