import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

interface Words {
  checkFile: (file: string, text: string) => string[];
  checkTitle: (title: string, rooms: Set<string>) => string[];
}

let words: Words;
beforeAll(async () => {
  words = (await import(pathToFileURL(join(process.cwd(), 'tools/check-words.mjs')).href)) as Words;
});

const schema = 'libs/x/x.schema.json';
const contract = 'libs/contract/openapi/management/x.yaml';

describe('the check of words', () => {
  it.each([
    [schema, '{\n "description": "Who makes it."\n}', `${schema}:2  starts with "Who"`],
    [schema, '{"properties": {"a": {"description": "How far it is."}}}', 'starts with "How"'],
    [
      contract,
      'a:\n  description: >-\n    Of a member\n    who left.',
      `${contract}:2  starts with "Of"`,
    ],
    [contract, 'get: { summary: What ran }', 'starts with "What"'],
    ['x.yaml', 'a: 1\n\n# What comes\n# next.\nb: 2', 'x.yaml:3  starts with "What"'],
    ['x.yaml', 'a: | # Who calls.\n  text\n', 'x.yaml:1  starts with "Who"'],
    ['x.yaml', '# A folder is\n# no more than a name.', 'x.yaml:1  "is no …"'],
    ['x.md', 'One.\n\nA key that is\nno key.', 'x.md:3  "is no …"'],
    ['x.md', '- one\n- his\n', 'x.md:2  "he" and "his"'],
  ])('refuses %s %j', (file, text, message) => {
    expect(words.checkFile(file, text)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    [schema, '{"description": "Company that makes it."}'],
    [schema, '{"properties": {"description": {"type": "string"}}}'],
    ['x.yaml', 'template: |\n  # What a block of text has is a part of it.\n  root = this\n'],
    ['x.yaml', 'description: What people write themselves.'],
    ['x.md', 'What follows is prose.\n\n```\nthis is no prose\n```\n\nNor `is no prose`.'],
  ])('accepts %s %j', (file, text) => {
    expect(words.checkFile(file, text)).toEqual([]);
  });

  it('checks titles of commits', () => {
    const titles = {
      'connect: read a record once': 0,
      'libs/connect: read a record once': 1,
      'read a record once': 1,
      'connect: what is read once': 0,
      'connect: What is read once': 1,
      [`connect: ${'x'.repeat(70)}`]: 1,
    };
    const rooms = new Set(['connect']);
    const counts = Object.keys(titles).map((title) => words.checkTitle(title, rooms).length);
    expect(counts).toEqual(Object.values(titles));
  });
});
