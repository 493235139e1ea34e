import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const root = new URL('../../../', import.meta.url); // The folder above dist.
const document = readFileSync(new URL('SECURITY.md', root), 'utf8').replace(/\s+/g, ' ');

/** Spec, or the part of one in a file `-specs.ts`, that the document names, with the titles that it quotes after it. */
interface Evidence {
  path: string;
  titles: string[];
}

function readEvidence(text: string): Evidence[] {
  const named = /`([\w./-]+(?:\.spec|-specs)\.ts)`((?:,? "[^"]+")*)/g;
  return [...text.matchAll(named)].map(([, path = '', quoted = '']) => ({
    path,
    titles: [...quoted.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
  }));
}

it('every promise of SECURITY.md names specs that exist, and tests in them', () => {
  const promises = document.split(/ (?=- |#+ )/).filter((part) => part.startsWith('- '));
  const [before = '', notPromised = ''] = document.split('## Not promised');
  const evidence = readEvidence(before);
  const faults = evidence.flatMap(({ path, titles }) => {
    const file = new URL(path, root);
    if (!existsSync(file)) return [`${path} does not exist`];
    const source = readFileSync(file, 'utf8');
    return titles
      .filter((title) => !source.includes(title))
      .map((title) => `${path} has no test "${title}"`);
  });
  expect(faults).toEqual([]);
  const empty = promises.filter(
    (promise) => readEvidence(promise).length === 0 && !notPromised.includes(promise.trim()),
  );
  expect(empty).toEqual([]);
  expect(promises.length).toBeGreaterThan(15);
});

it('reads the specs and titles of a promise', () => {
  expect(readEvidence('Nobody: `a/b.spec.ts` "one", "two", `c.spec.ts`.')).toEqual([
    { path: 'a/b.spec.ts', titles: ['one', 'two'] },
    { path: 'c.spec.ts', titles: [] },
  ]);
});
