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
