import { countParts } from './parts.js';
import { RunError } from './run-error.js';
import { Timestamp } from './timestamp.js';
import { isObject, type ObjectValue, setKey, sortedKeys, type Value } from './values.js';

/** Digits enough to lose some: only texts that have them are read the slow way. */
const longNumber = /[\d.]{16}/;

/** Reads JSON; integers that a double cannot hold become bigint. @throws SyntaxError */
export function parseJson(text: string): Value {
  const value = JSON.parse(text) as Value;
  return longNumber.test(text) ? (reviveExact(text) ?? value) : value;
}

/** Puts quotes with a mark around long integers, and takes them off while parsing. */
function reviveExact(text: string): Value {
  const mark = '\u0000int:';
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) => {
    if (token.startsWith('"') || Number.isSafeInteger(Number(token))) return token;
    return token.length > 40 ? token : `"\\u0000int:${token}"`;
  });
  return unmark(JSON.parse(marked) as Value, mark);
}

function unmark(value: Value, mark: string): Value {
  if (typeof value === 'string' && value.startsWith(mark)) return BigInt(value.slice(mark.length));
  if (Array.isArray(value)) return value.map((one) => unmark(one, mark));
  if (!isObject(value)) return value;
  for (const key of Object.keys(value)) setKey(value, key, unmark(value[key], mark));
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
  const plain = indent === '' ? sortedCopy(value) : unsuited;
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
const indexLike = /^\d+$/;

/**
 * A copy with sorted keys that JSON.stringify writes as we do, several times faster than {@link write}; `unsuited` where it would
 * not: bytes, timestamps, long integers, numbers without a notation, and keys that objects put first whatever the order.
 */
function sortedCopy(value: Value): unknown {
  if (value === null || value === undefined || typeof value === 'symbol') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : unsuited;
  if (typeof value === 'bigint') return unsuited;
  if (typeof value !== 'object') return value;
  countParts(1);
  if (Array.isArray(value)) {
    countParts(value.length);
    const copy: unknown[] = [];
    for (const one of value as Value[]) {
      const inner = sortedCopy(one);
      if (inner === unsuited) return unsuited;
      copy.push(inner);
    }
    return copy;
  }
  if (!isObject(value)) return unsuited;
  const copy: ObjectValue = {};
  const keys = sortedKeys(value);
  countParts(keys.length);
  for (const key of keys) {
    if (key === '__proto__' || indexLike.test(key)) return unsuited;
    const inner = sortedCopy(value[key]);
    if (inner === unsuited) return unsuited;
    copy[key] = inner;
  }
  return copy;
}

function write(value: Value, indent: string, margin: string): string {
  if (value === null || value === undefined || typeof value === 'symbol') return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw new RunError(`the number ${value} cannot be written as JSON`);
    return JSON.stringify(value);
  }
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  if (value instanceof Timestamp) return JSON.stringify(value.toString());
  const inner = margin + indent;
  // Each line begins with its margin.
  const line = 1 + (inner.length >> 4);
  countParts(line);
  const [open, separator, close] =
    indent === '' ? ['', ',', ''] : [`\n${inner}`, `,\n${inner}`, `\n${margin}`];
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    countParts(value.length * line);
    return `[${open}${value.map((one) => write(one, indent, inner)).join(separator)}${close}]`;
  }
  const object = value as ObjectValue;
  const keys = sortedKeys(object);
  if (keys.length === 0) return '{}';
  countParts(keys.length * line);
  const colon = indent === '' ? ':' : ': ';
  return `{${open}${keys.map((key) => `${JSON.stringify(key)}${colon}${write(object[key], indent, inner)}`).join(separator)}${close}}`;
}
