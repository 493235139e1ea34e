import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';

let plainWords: object;
beforeAll(async () => {
  const file = pathToFileURL(join(process.cwd(), 'tools/plain-words.mjs')).href;
  ({ plainWords } = (await import(file)) as { plainWords: object });
});

function messagesFor(code: string): string[] {
  const config = { plugins: { onefold: plainWords }, rules: { 'onefold/plain-words': 'error' } };
  return new Linter().verify(code, config as Linter.Config).map(({ message }) => message);
}

describe('the lint rule plain-words', () => {
  it.each([
    ['/** What a page holds. */', 'starts with "What"'],
    ['// Who calls.', 'starts with "Who"'],
    ['/**\n * Of an account.\n */', 'starts with "Of"'],
    ['// A key that is\n// no key.', 'is not a'],
    ['// A list, but there is none of them.', 'does not exist'],
    ["throw new Error('the text is no number');", 'is not a'],
    ['const text = `${name} is no ${kind}`;', 'is not a'],
    ["it('shows the caller his records');", 'they'],
    ['const mostRows = 5;', 'name limits and defaults max*'],
    ['const usualLimit = 5;', 'name limits and defaults default*'],
    ['class Page { leastRows = 1; }', 'name limits and defaults min*'],
    ['function read(longest = 3) {}', 'name limits and defaults max*'],
  ])('refuses %j', (code, message) => {
    expect(messagesFor(code)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    '/** Reads a page. What follows is read later. */',
    '// The first line, followed by\n// What looks like another comment.',
    '// The session is no longer valid, and there is no other.',
    "const word = 'he';",
    'const almostDone = 1;',
  ])('accepts %j', (code) => {
    expect(messagesFor(code)).toEqual([]);
  });
});
