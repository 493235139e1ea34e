import type { Random } from './random.js';

/**
 * Prefix of a text that {@link writeJson} writes without quotes: numbers and tokens that JSON.stringify would change.
 */
const rawMark = '\u0001raw ';

/** Token that is written literally into the JSON text. */
export const raw = (token: string) => `${rawMark}${token}`;

/** Writes JSON with its raw tokens. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  if (!text.includes('"\\u0001raw ')) return text; // Bodies of OCSF are long, and most have no token.
  return text.replace(/"\\u0001raw ([^"\\]*)"/g, '$1');
}

/** Texts that have broken services before. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00\ud800b',
  '\ufeff',
  'e\u0301',
  '\u202eevil',
  '👩‍👩‍👧‍👦',
  'İıßﬀ',
  'a\r\nx-injected: 1',
  '\u0001\u001f\u007f',
  '\u2028\u2029',
  '../../../etc/passwd',
  '..',
  '.',
  '/',
  '//',
  '~',
  '~2',
  '*',
  '%',
  '%00',
  '%2e%2e%2f',
  '%ed%a0%80',
  "' or 1=1 --",
  '"; drop table accounts; --',
  '\\',
  '$1',
  '${7*7}',
  '{{7*7}}',
  '{this.path}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'length',
  'then',
  'null',
  'undefined',
  'true',
  'NaN',
  '-0',
  '1e400',
  '9007199254740993',
  '-1',
  '0x10',
  'all',
  'me',
  'root',
  'latest',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'unix:/var/run/x.sock',
  'javascript:alert(1)',
  'data:,x',
  'http://',
  'http://[::1',
  'https://user:password@nobody.invalid/',
  'https://nobody.invalid:99999/',
  '2026-02-30T00:00:00Z',
  '2026-13-45T99:99:99Z',
  '0000-00-00T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:60Z',
  '9999-12-31T23:59:59.999999999999999Z',
  '10000-01-01T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01',
  '0s',
  '-1h',
  '999999999999999999d',
  '1e9h',
  'P1Y',
  'int_00000000000000000000000000',
  'acc_',
  '(a+)+$',
  '[',
  '\\u0000',
];

/** Texts that are too long to be listed above. */
const longTexts = (random: Random) =>
  random.pick([
    'x'.repeat(256),
    'x'.repeat(1_025),
    'x'.repeat(8_193),
    'é'.repeat(5_000),
    'x'.repeat(70_000),
    '\u0000'.repeat(500),
    `${'a'.repeat(5_000)}!`,
  ]);

export function hostileText(random: Random): string {
  return random.chance(0.07) ? longTexts(random) : random.pick(hostileTexts);
}

const numbers: readonly unknown[] = [
  0,
  -1,
  0.5,
  1e21,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  raw('-0'),
  raw('9007199254740993'),
  raw('1e400'),
  raw('-1e400'),
  raw('1E-400'),
  raw('123456789012345678901234567890'),
  raw('0.1000000000000000055511151231257827'),
  raw(`1${'0'.repeat(400)}`),
];

const own = (key: string, value: unknown) => Object.fromEntries([[key, value]]);

const shapes: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => own('', ''),
  () => own('__proto__', { polluted: true }),
  () => own('constructor', { prototype: { polluted: true } }),
  () => own('toString', 1),
  () => own('hasOwnProperty', 1),
  () => own('toJSON', 1),
  () => own('then', 'x'),
  () => own('length', 1e9),
  () => own('$ref', '#'),
  () => own('x'.repeat(10_000), 1),
  () => own('\u0000', '\u0000'),
  () => own('\ud800', 1),
  () => Array.from({ length: 2_000 }, () => null),
  () => Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, index])),
  () => nested(20),
  () => nested(200),
  () => nested(3_000),
];

/** Returns arrays nested in arrays. */
export function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
}

/** Returns a value of any type, which a place of a body does not expect. */
export function hostileValue(random: Random): unknown {
  return random.weighted<() => unknown>([
    [5, () => hostileText(random)],
    [2, () => random.pick(numbers)],
    [3, () => random.pick(shapes)()],
  ])();
}
