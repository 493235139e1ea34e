import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const maxLines = 400;
const maxMainLines = 15;
const sizes = new Map(
  ['apps', 'libs'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.tsx?$|\/generated\/|\/dist\//.test(file))
      .map((file) => [file, readFileSync(root + file, 'utf8').split('\n').length - 1]),
  ),
);

describe('a source file', () => {
  it(`has at most ${maxLines} lines`, () => {
    expect(sizes.size).toBeGreaterThan(500);
    const long = [...sizes].filter(([, lines]) => lines > maxLines).map(([file]) => file);
    expect(long).toEqual([]);
  });

  it(`that starts a process has at most ${maxMainLines} lines`, () => {
    const mains = [...sizes].filter(([file]) => /^apps\/[\w-]+\/src\/main\.ts$/.test(file));
    expect(mains.length).toBeGreaterThan(6);
    expect(mains.filter(([, lines]) => lines > maxMainLines)).toEqual([]);
  });
});
