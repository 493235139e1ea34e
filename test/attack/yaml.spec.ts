import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileTemplate, LimitError } from '@onefold/mapping';
import { type Service, startService } from '../api/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Maximum length of a document. */
const characters = 262_144;
const repeat = (text: string) => text.repeat(Math.floor(characters / text.length));
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
const laughs = lines(9, (level) =>
  level === 0 ? 'a0: &a0 [x, x, x]' : `a${level}: &a${level} [${`*a${level - 1},`.repeat(5)}]`,
);

const documents: Record<string, string> = {
  'an alias bomb': laughs,
  'many aliases': `a: &a 1\n${lines(200, (index) => `b${index}: *a`)}`,
  'an alias without its anchor': 'a: *b',
  'an alias of itself': '&a [*a]',
  'a key that repeats itself': 'providers: &a { x: { y: *a } }',
  'lists within lists in one line': repeat('- '),
  'flow lists that never end': repeat('['),
  'flow mappings that never end': repeat('{a: '),
  'explicit keys within each other': repeat('? '),
  colons: repeat(': '),
  'commas in a flow list': `[${repeat(',').slice(1)}`,
  anchors: repeat('&a '),
  directives: repeat('%\n'),
  'many keys': lines(29_000, (index) => `k${index}: 1`),
  'unknown keys, as many as fit': lines(14_000, (index) => `k${index}: 1`),
  'the same key again and again': repeat('a: 1\n'),
  hashes: repeat('#'),
  'lines of hashes': repeat('#\n'),
  tabs: repeat('\t'),
  'deep indentation': lines(500, (index) => `${' '.repeat(index)}a:`),
  'several documents': repeat('---\n'),
  'a text with U+0000': 'a: "\\0"',
  'a text with half of a surrogate pair': 'a: "\\ud800"',
  'one character too many': 'a'.repeat(characters + 1),
};

describe.each(['/v1/customs', '/v1/mappings'])('a YAML document at %s', (path) => {
  it.each(Object.keys(documents))('of %s is a 400 with a short reason', async (name) => {
    const { status, message } = await service.call('POST', path, { data: documents[name] });
    expect([status, message.length > 0, message.length < 10_000]).toEqual([400, true, true]);
  });
});

it('a YAML document within the bounds is read, aliases and all', async () => {
  const data = `engine: bloblang_direct
version: "1.0"
templates:
  default: &one root.a = this.a
  other: *one
`;
  expect((await service.call('POST', '/v1/mappings', { fullname: 'Alias', data })).message).toBe(
    '',
  );
});

it.each(
  Object.entries(documents).filter(
    ([name]) => !/hashes|U\+|surrogate|tabs|one character/.test(name),
  ),
)('parse_yaml of a mapping refuses %s, reads it, or ends by a limit', (_name, text) => {
  const template = compileTemplate(
    'root.a = this.text.parse_yaml().type().catch(err -> "refused")',
  );
  let result: unknown;
  try {
    result = (template.run({ text }).root as { a: string }).a;
  } catch (error) {
    // A template cannot catch the error about its steps, or it would continue to spend.
    expect(error).toBeInstanceOf(LimitError);
    result = 'refused';
  }
  expect(['refused', 'object', 'array', 'null', 'string']).toContain(result);
});
