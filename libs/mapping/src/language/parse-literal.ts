import type { Source } from './source.js';

const greatest = 2n ** 63n - 1n;

/** An integer or float; undefined when there is none here. Integers beyond 2^53 are bigint. */
export function parseNumber(source: Source): number | bigint | undefined {
  const start = source.at;
  const text = source.match(/-?\d+(?:\.\d+)?/y);
  if (text === undefined) return undefined;
  if (text.includes('.')) return Number(text);
  const exact = BigInt(text);
  // As in the reference, the sign is not a part of the literal, so that the smallest integer cannot be written.
  if (exact > greatest || exact < -greatest)
    throw source.fault('the integer is a value out of range: it does not fit into 64 bits', start);
  return Number.isSafeInteger(Number(text)) ? Number(text) : exact;
}

/** The characters that letters after a backslash stand for. */
export const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/** A quoted string, plain or in three quotes; undefined when there is none here. */
export function parseString(source: Source): string | undefined {
  if (source.take('"""')) {
    const end = source.text.indexOf('"""', source.at);
    if (end < 0) throw source.fault('the string has no closing """', source.at - 3);
    const text = source.text.slice(source.at, end);
    source.at = end + 3;
    return text;
  }
  if (!source.peek('"')) return undefined;
  const start = source.at;
  source.at += 1;
  let text = '';
  for (;;) {
    text += source.match(/[^"\\\n]+/y) ?? '';
    if (source.take('"')) return text;
    if (!source.take('\\'))
      throw source.fault(
        'required: expected end quote',
        start,
        'Strings over several lines stand in """.',
      );
    text += parseEscape(source);
  }
}

function parseEscape(source: Source): string {
  const start = source.at - 1;
  const simple = simpleEscapes[source.text[source.at] ?? ''];
  if (simple !== undefined) {
    source.at += 1;
    return simple;
  }
  const code = source.match(/x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}/y);
  if (code === undefined)
    throw source.fault(
      'the string has an escape that does not exist',
      start,
      'Use \\n, \\t, \\", \\\\ or \\u0000.',
    );
  const point = /^\d/.test(code) ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16);
  if (point > 0x10ffff) throw source.fault('the escape is not a Unicode character', start);
  return String.fromCodePoint(point);
}
