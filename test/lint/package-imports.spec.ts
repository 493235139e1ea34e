import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The sources of the product outside of the package, without specs. */
const sources = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /(?<!\.spec|\.d)\.ts$/.test(name) && !name.includes('/dist/'))
    .filter((name) => !name.startsWith('libs/mapping/') && !name.includes('/generated/')),
);

it('the product imports @onefold/mapping as anybody does: by its name, and nothing inside of it', () => {
  const imports = sources.flatMap((name) =>
    [...readFileSync(`${root}${name}`, 'utf8').matchAll(/from '([^']*mapping(?:\/[^']*)?)'/g)].map(
      ([, from = '']) => `${name}: ${from}`,
    ),
  );
  const byName = imports.filter((one) => one.endsWith(': @onefold/mapping'));
  expect(byName.length).toBeGreaterThan(20);
  expect(
    imports.filter((one) => /: (?:@onefold\/mapping\/|#mapping|.*\/mapping\/)/.test(one)),
  ).toEqual([]);
});

it('every alias leads Node and a reader of the sources, such as an editor, to the same file', () => {
  const readJson = (name: string) => JSON.parse(readFileSync(`${root}${name}`, 'utf8')) as never;
  const { imports } = readJson('package.json') as { imports: Record<string, string> };
  const { compilerOptions } = readJson('tsconfig.json') as {
    compilerOptions: { paths: Record<string, string[]> };
  };
  // Packages are found by their names.
  const aliases = Object.entries(compilerOptions.paths).filter(([alias]) => alias.startsWith('#'));
  const built = aliases.map(([alias, sources]) => [
    alias,
    sources.map((path) => path.replace('./', './dist/').replace(/\.ts$/, '.js')).join(),
  ]);
  expect(imports).toEqual(Object.fromEntries(built));
});
