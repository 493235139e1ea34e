import { randomUUID } from 'node:crypto';
import { orderOf } from './key-order.js';
import { payKey, payKeys, payParts, payText } from './meter.js';
import { RunError } from './run-error.js';
import { Timestamp } from './timestamp.js';
import { isObject, type ObjectValue, setKey, sortedKeys, type Value } from './values.js';

/** Digits enough to lose some: only texts that have them are read the slow way. */
const longNumber = 16;

/** Reads JSON; integers that a double cannot hold become bigint. @throws SyntaxError */
export function parseJson(text: string): Value {
  const value = JSON.parse(text) as Value;
  return hasLongNumber(text) ? reviveExact(text, value) : value;
}

/** Whether so many digits or dots stand together: each such place covers a character that is looked at. */
function hasLongNumber(text: string): boolean {
  for (let at = longNumber - 1; at < text.length; at += longNumber) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let [first, last] = [at, at];
    while (first > 0 && isDigit(text.charCodeAt(first - 1))) first -= 1;
    while (last + 1 < text.length && isDigit(text.charCodeAt(last + 1))) last += 1;
    if (last - first >= longNumber - 1) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return (code > 47 && code < 58) || code === 46;
}

/**
 * Puts quotes with a mark around long integers, and takes them off while parsing.
 * @param value the text as a double can hold it, which is exact where no integer is marked: times and ids within strings are long as well
 */
function reviveExact(text: string, value: Value): Value {
  const marked = text.replace(
    /"[^"\\]*(?:\\.[^"\\]*)*"?|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g,
    (token) => {
      if (token.startsWith('"') || Number.isSafeInteger(Number(token))) return token;
      return token.length > 40 ? token : `"${mark}${token}"`;
    },
  );
  return marked === text ? value : unmark(JSON.parse(marked) as Value);
}

/** No text contains it: nobody outside of the process sees it, and it cannot be guessed. Looking for one that a text does not contain takes long. */
const mark = `int:${randomUUID()}:`;

function unmark(value: Value): Value {
  if (typeof value === 'string' && value.startsWith(mark)) return BigInt(value.slice(mark.length));
  if (Array.isArray(value)) return value.map(unmark);
  if (!isObject(value)) return value;
  for (const key of Object.keys(value)) setKey(value, key, unmark(value[key]));
  return value;
}

export interface JsonOptions {
  indent?: string;
  escapeHtml?: boolean;
}

/** Writes JSON with sorted keys; bytes as base64, timestamps as RFC 3339. @throws RunError for NaN and infinities. */
export function formatJson(
  value: Value,
  { indent = '', escapeHtml = false }: JsonOptions = {},
): string {
  const plain = indent === '' ? suited(value) : unsuited;
  const text = plain === unsuited ? write(value, indent, '') : JSON.stringify(plain);
  const escaped = text.replace(
    /[\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16)}`,
  );
  return escapeHtml
    ? escaped.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
    : escaped;
}

const unsuited = Symbol('not for JSON.stringify');

/**
 * The value, or a copy where its keys are not sorted, that JSON.stringify writes as we do, several times faster than {@link write};
 * `unsuited` where it would not: bytes, timestamps, long integers, numbers without a notation, and keys that objects put first
 * whatever the order.
 */
function suited(value: Value): unknown {
  if (value === null || value === undefined || typeof value === 'symbol') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : unsuited;
  if (typeof value === 'bigint') return unsuited;
  if (typeof value !== 'object') {
    if (typeof value === 'string') payText(value.length);
    return value;
  }
  if (Array.isArray(value)) return suitedArray(value);
  return isObject(value) ? suitedObject(value) : unsuited;
}

function suitedArray(list: readonly Value[]): unknown {
  payParts(list.length + 1);
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const inner = suited(list[index]);
    if (inner === unsuited) return unsuited;
    if (copy) copy.push(inner);
    else if (inner !== list[index]) copy = [...list.slice(0, index), inner];
  }
  return copy ?? list;
}

function suitedObject(object: ObjectValue): unknown {
  const keys = Object.keys(object);
  payParts(1);
  payKeys(keys.length);
  for (const key of keys) payKey(key);
  const order = orderOf(keys);
  if (order === undefined) return unsuited;
  let copy: ObjectValue | undefined = order === keys ? undefined : {};
  for (let index = 0; index < order.length; index += 1) {
    const key = order[index] as string;
    const inner = suited(object[key]);
    if (inner === unsuited) return unsuited;
    if (copy) copy[key] = inner;
    else if (inner !== object[key]) {
      copy = {};
      for (const one of order.slice(0, index)) copy[one] = object[one];
      copy[key] = inner;
    }
  }
  return copy ?? object;
}

function write(value: Value, indent: string, margin: string): string {
  if (value === null || value === undefined || typeof value === 'symbol') return 'null';
  if (typeof value === 'string') {
    payText(value.length);
    return JSON.stringify(value);
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw new RunError(`the number ${value} cannot be written as JSON`);
    return JSON.stringify(value);
  }
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint8Array) {
    payText(value.length);
    return JSON.stringify(Buffer.from(value).toString('base64'));
  }
  if (value instanceof Timestamp) return JSON.stringify(value.toString());
  const inner = margin + indent;
  // Each line begins with its margin.
  const line = 1 + (inner.length >> 4);
  payParts(line);
  const [open, separator, close] =
    indent === '' ? ['', ',', ''] : [`\n${inner}`, `,\n${inner}`, `\n${margin}`];
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    payParts(value.length * line);
    return `[${open}${value.map((one) => write(one, indent, inner)).join(separator)}${close}]`;
  }
  const object = value as ObjectValue;
  const keys = sortedKeys(object);
  if (keys.length === 0) return '{}';
  payParts(keys.length * line);
  const colon = indent === '' ? ':' : ': ';
  return `{${open}${keys.map((key) => `${JSON.stringify(key)}${colon}${write(object[key], indent, inner)}`).join(separator)}${close}}`;
}
