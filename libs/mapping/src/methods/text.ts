import { formatJson } from '../language/json.js';
import { Timestamp } from '../language/timestamp.js';
import { type Value, wrongType } from '../language/values.js';

/** A value as a text, as `string()` gives it: objects as JSON, bytes as UTF-8. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof Timestamp) return value.toString();
  return formatJson(value, { escapeHtml: true });
}

/** The bytes of a text or of bytes. @throws RunError for anything else. */
export function bytesOf(value: Value): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (typeof value === 'string') return Buffer.from(value);
  throw wrongType('string or bytes', value);
}

/** A text as UTF-8 can carry it: halves of surrogate pairs become U+FFFD, as encoding to a URL would refuse them. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

const ascii = /^[\0-\x7f]*$/;

/** Texts are measured and cut by bytes; those of ASCII alone need no copy for it. */
export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/** Applies a change to a text, and to bytes as the text they are. */
export function onText(change: (text: string) => string): (value: Value) => Value {
  return (value) => {
    if (typeof value === 'string') return change(value);
    if (value instanceof Uint8Array) return Buffer.from(change(Buffer.from(value).toString()));
    throw wrongType('string', value);
  };
}
