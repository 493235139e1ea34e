import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const root = new URL('../../../../', import.meta.url); // The folder above dist.
const document = readFileSync(new URL('docs/limits.md', root), 'utf8');
const folder = new URL('test/attack/releases/', root);

interface Row {
  what: string;
  counted: string;
  spec: string;
}

/** The rows of the table "Places". */
function readRows(text: string): Row[] {
  const [, section = ''] = text.split('\n## Places\n');
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    return { what: cells[1] ?? '', counted: cells[5] ?? '', spec: cells[6] ?? '' };
  });
}

const rows = readRows(document);

/** The kinds of places that the specs of a file are about: the titles of its suites. */
function testedIn(file: string): string[] {
  const source = readFileSync(new URL(file, folder), 'utf8');
  return [...source.matchAll(/^describe\((['"])(.*)\1, /gm)].map(([, , title = '']) => title);
}

it('every place of docs/limits.md is counted, and its spec takes it to its bound and lets it go', () => {
  expect(rows.length).toBeGreaterThan(15);
  for (const { what, counted, spec } of rows) {
    const [, file = ''] = /\(\.\.\/test\/attack\/releases\/([\w-]+\.spec\.ts)\)$/.exec(spec) ?? [];
    expect([what, counted]).toEqual([what, expect.stringMatching(/^`\w+`$/)]);
    expect([what, testedIn(file)]).toEqual([what, expect.arrayContaining([what])]);
  }
});

it('every spec beside this one is about places of docs/limits.md', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.spec.ts'));
  const tested = files.filter((name) => name !== 'table.spec.ts').flatMap(testedIn);
  expect(tested.toSorted()).toEqual(rows.map(({ what }) => what).toSorted());
});

it('reads the rows of the table', () => {
  const text =
    '\n## Places\n\nText.\n\n| What | Bound | Whose | Ends | Counted by | Spec |\n| - | - | - | - | - | - |\n| a | 1 | b | c | `d` | e |\n\n## Next\n\n| x | y |\n';
  expect(readRows(text)).toEqual([{ what: 'a', counted: '`d`', spec: 'e' }]);
});
