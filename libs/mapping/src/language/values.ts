import { payCopy, payKey, payKeys, payParts, payText } from './meter.js';
import { RunError } from './run-error.js';
import { isSameMoment, Timestamp } from './timestamp.js';

/** Assigned to a target, it removes the target. */
export const Deleted = Symbol('deleted()');
/** Assigned to a target, it leaves the target as it is. */
export const Nothing = Symbol('nothing()');

/**
 * A value of the language: null, boolean, number, bigint (integers beyond 2^53), string, Uint8Array (bytes), Timestamp, array,
 * object, and the two marks above. Objects are read by own keys only.
 */
export type Value = unknown;
export type ObjectValue = Record<string, Value>;

export function isObject(value: Value): value is ObjectValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array) &&
    !(value instanceof Timestamp)
  );
}

export function isNumber(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The language's name of a value's type. */
export function typeName(value: Value): string {
  if (value === null || value === undefined) return 'null';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'bool';
    case 'symbol':
      return value === Deleted ? 'delete' : 'nothing';
    default:
      if (Array.isArray(value)) return 'array';
      if (value instanceof Uint8Array) return 'bytes';
      return value instanceof Timestamp ? 'timestamp' : 'object';
  }
}

/** Sets an own key whatever it is called: `__proto__` is a field like any other. */
export function setKey(object: ObjectValue, key: string, value: Value): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  else object[key] = value;
}

/** A field of an object or element of an array; null where there is none. */
export function getKey(value: Value, key: string): Value {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value))
    return /^\d+$/.test(key) ? ((value[Number(key)] as Value) ?? null) : null;
  if (!isObject(value) || !Object.hasOwn(value, key)) return null;
  return value[key] ?? null;
}

/** Reads one field, decided once: names that every object inherits need the slow way. */
export function keyReader(key: string): (value: Value) => Value {
  if (key in Object.prototype || /^\d+$/.test(key)) return (value) => getKey(value, key);
  return (value) =>
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    value instanceof Uint8Array ||
    value instanceof Timestamp
      ? null
      : ((value as ObjectValue)[key] ?? null);
}

/** A deep copy of arrays and objects; other values never change. */
export function clone(value: Value): Value {
  if (Array.isArray(value)) {
    payCopy(value.length);
    return value.map(clone);
  }
  if (!isObject(value)) return value;
  const copy: ObjectValue = {};
  const keys = Object.keys(value);
  payCopy(keys.length);
  for (const key of keys) setKey(copy, key, clone(value[key]));
  return copy;
}

/** Deep equality; a missing field equals null, numbers compare by value. */
export function equal(a: Value, b: Value): boolean {
  if (typeof a === 'string') {
    if (b instanceof Uint8Array) return equalBytes(a, b);
    if (typeof b !== 'string' || a.length !== b.length) return false;
    if (a.length > maxCheapText) payParts(a.length >> 10);
    return a === b;
  }
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return a == b; // eslint-disable-line eqeqeq -- 1n == 1 is what is asked
  if (a === null || a === undefined) return b === null || b === undefined;
  if (typeof a === 'boolean' && isNumber(b)) return a === (Number(b) !== 0);
  if (typeof a !== 'object') return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    payParts(1 + a.length);
    return a.every((one, index) => equal(one, b[index]));
  }
  if (a instanceof Uint8Array) {
    if (typeof b === 'string') return equalBytes(b, a);
    if (!(b instanceof Uint8Array) || a.length !== b.length) return false;
    payParts(a.length >> 10);
    return Buffer.compare(a, b) === 0;
  }
  if (a instanceof Timestamp) return b instanceof Timestamp && isSameMoment(a, b);
  if (!isObject(a) || !isObject(b)) return false;
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  payParts(1);
  payKeys(2 * keys.length);
  return keys.every((key) => equal(getKey(a, key), getKey(b, key)));
}

/** A text equals its bytes in UTF-8. */
function equalBytes(text: string, bytes: Uint8Array): boolean {
  if (text.length > bytes.length) return false;
  payText(bytes.length);
  return Buffer.from(text).equals(bytes);
}

/** Longer texts cost by their length when they are compared. */
export const maxCheapText = 1_023;

/** Strings by their bytes in UTF-8, which is the order of their code points. */
export function compareStrings(a: string, b: string): number {
  if (a.length === b.length && a.length > maxCheapText) payParts(a.length >> 10);
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at += 1) {
    let [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one === other) continue;
    payText(at << 1);
    // Surrogates stand for code points beyond every other unit.
    if (one >= 0xd800 && other >= 0xd800) {
      if (one < 0xe000) one += 0x2000;
      if (other < 0xe000) other += 0x2000;
      if (a.charCodeAt(at) >= 0xe000) one -= 0x800;
      if (b.charCodeAt(at) >= 0xe000) other -= 0x800;
    }
    return one < other ? -1 : 1;
  }
  payText(end << 1);
  return a.length < b.length ? -1 : 1;
}

/** The keys of an object in the order of their bytes: the one order every walk over an object takes. */
export function sortedKeys(object: ObjectValue): string[] {
  const keys = Object.keys(object);
  payParts(sortSteps(keys.length));
  payKeys(keys.length);
  for (const key of keys) payKey(key);
  return keys.sort(compareStrings);
}

/** Steps of sorting so many keys: each of the n log n comparisons takes about half a step. */
export function sortSteps(count: number): number {
  return (count * (34 - Math.clz32(count))) >> 1;
}

/** Integers beyond 2^53 stay exact, smaller ones are plain numbers. */
export function normalize(value: bigint): number | bigint {
  const wrapped = BigInt.asIntN(64, value);
  const number = Number(wrapped);
  return Number.isSafeInteger(number) ? number : wrapped;
}

/** @throws RunError unless the value is a string (or bytes, read as UTF-8). */
export function asString(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  throw wrongType('string', value);
}

export function asNumber(value: Value): number | bigint {
  if (isNumber(value)) return value;
  throw wrongType('number', value);
}

export function asArray(value: Value): Value[] {
  if (Array.isArray(value)) return value as Value[];
  throw wrongType('array', value);
}

export function asObject(value: Value): ObjectValue {
  if (isObject(value)) return value;
  throw wrongType('object', value);
}

/** A value of a type that a method does not take. */
export class WrongTypeError extends RunError {
  constructor(
    readonly wanted: string,
    readonly value: Value,
  ) {
    const shown = shownScalar(value);
    const got = typeName(value);
    super(`expected ${wanted} value, got ${shown === undefined ? got : `${got} (${shown})`}`);
  }

  /** `expected string, got number 5` */
  describe(): string {
    const shown = shownScalar(this.value);
    const got = typeName(this.value);
    return `expected ${this.wanted}, got ${shown === undefined ? got : `${got} ${shown}`}`;
  }
}

/** A short text for a scalar; undefined for null and other values. */
function shownScalar(value: Value): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  return isNumber(value) || typeof value === 'boolean' ? String(value) : undefined;
}

/** `expected string value, got number (5)`; the value is shown for scalars. */
export function wrongType(wanted: string, value: Value): RunError {
  return new WrongTypeError(wanted, value);
}
