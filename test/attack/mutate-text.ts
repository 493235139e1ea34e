import type { Random } from './random.js';

const signs = [...'[]{}()",:;|&=!<>~*%/\\.-+#?@\'` \t\n\u0000\ud800é0', '[]', '((', '__proto__'];

/** Makes one small change to a text: a character more, a part less, repeated or moved. */
export function mutateText(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + 1 + random.below(8));
  return random.pick<() => string>([
    () => text.slice(0, at) + random.pick(signs) + text.slice(at),
    () => text.slice(0, at) + text.slice(end),
    () => text.slice(0, end) + text.slice(at),
    () => text.slice(0, at),
    () => text.slice(at),
    () => text.slice(at) + text.slice(0, at),
    () => text + text,
    () => text.toUpperCase(),
  ])();
}

/** Returns JSON text with an error in its syntax or bytes; one character of the result is one byte. */
export function mutateJson(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return random.pick<() => string>([
    () => mutateText(random, text).replace(/[^\0-\xff]/g, '\xed\xa0\x80'),
    () => text.slice(0, at),
    () => `\xef\xbb\xbf${text}`,
    () => `\xff\xfe${[...text].map((one) => `${one}\0`).join('')}`,
    () => `${text.slice(0, at)}\0${text.slice(at)}`,
    () => `${text.slice(0, at)}\xff${text.slice(at)}`,
    () => `${text.slice(0, at)}\xed\xa0\x80${text.slice(at)}`,
    () => `${text}${text}`,
    () => `${text} x`,
    () => `  \n${text}\n  `,
    () => text.replace(/"(\w+)":/, '"$1":null,"$1":'),
    () => text.replace(/\{/, '{"__proto__":{"polluted":1},'),
    () => text.replace(/"/g, "'"),
    () => text.replace(/\{/, '{/* comment */'),
    () => text.replace(/([\]}])$/, ',$1'),
    () => text.replace(/:("[^"]*"|\w+)/, ':NaN'),
    () => '['.repeat(12_000) + text + ']'.repeat(12_000),
  ])();
}

/** Bodies that are hostile to every operation; one character is one byte. */
export const hostileBodies: readonly string[] = [
  '',
  ' ',
  'null',
  'true',
  '1',
  '-0',
  '1e400',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"\xed\xa0\x80"',
  '"\0"',
  '[]',
  '{}',
  '[{}]',
  '[null]',
  '[[[[]]]]',
  '"',
  '{',
  '}',
  '[1,]',
  '{"a":1,}',
  '{"a":1,"a":2}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '\xef\xbb\xbf{}',
  '\xef\xbb\xbf',
  '\xff\xfe{\0}\0',
  '\xc0\xaf',
  '['.repeat(15_000),
  '{"a":'.repeat(15_000),
  `${'['.repeat(15_000)}${']'.repeat(15_000)}`,
  `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`,
  `[${'null,'.repeat(50_000)}null]`,
  `{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  `{"${'k'.repeat(200_000)}":1}`,
  `"${'x'.repeat(300_000)}"`,
  `"${'\\u0000'.repeat(20_000)}"`,
  `[${'1,'.repeat(100_000)}`,
  '1'.repeat(100_000),
  'name=a&value=b',
  '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\nx\r\n--x--',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  '\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xae\x05\x00\x43\xbf\xa6\xa3\x02\x00\x00\x00',
];
