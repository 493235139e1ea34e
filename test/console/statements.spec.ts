import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');

/** Titles of tests as they are written; a test that is skipped or the only one is none. */
const titlesIn = (source: string) =>
  [...source.matchAll(/^\s*(?:it\(|it\.each[^]*?\)\(\s*)\s*'([^'\n]+)',/gm)].map(
    ([, title = '']) => title,
  );

const specs = [
  ...readdirSync(`${root}test/console`)
    .filter((name) => name.endsWith('.ts') && name !== 'statements.spec.ts')
    .map((name) => `test/console/${name}`),
  'test/api/connect-sessions.spec.ts',
];
const titles = new Set(specs.flatMap((file) => titlesIn(read(file))));
const bench = read('tools/bench-console.mjs');
const rows = [
  ...read('test/console/statements.md').matchAll(/^\| (\d+) +\| (.+?) +\| (.+?) +\|$/gm),
].map(([, number, , tests = '']) => ({ number: Number(number), tests }));

describe('the statements that the console was accepted by', () => {
  it('are 40, each once', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });

  it.each(rows)('no. $number is kept by tests that exist', ({ tests }) => {
    const claims = [...tests.matchAll(/(bench: |check: )?`([^`]+)`/g)];
    expect(claims).not.toEqual([]);
    for (const [, kind = 'test', claim = ''] of claims) {
      if (kind === 'bench: ') expect(bench).toContain(`'${claim}'`);
      else if (kind === 'check: ')
        expect(read('tools/check.mjs')).toContain(`'${basename(claim, '.mjs')}'`);
      else expect([...titles]).toContain(claim);
    }
  });
});
