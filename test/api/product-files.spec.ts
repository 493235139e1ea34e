import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

it('the product build compiles neither specs nor tests nor the provider kit', () => {
  const tsc = `${root}node_modules/typescript7/bin/tsc`;
  const listed = execFileSync(
    process.execPath,
    [tsc, '-p', 'tsconfig.product.json', '--listFilesOnly'],
    { cwd: root, encoding: 'utf8' },
  );
  const files = listed
    .split('\n')
    .filter((file) => file.startsWith(root) && !file.includes('node_modules'))
    .map((file) => file.slice(root.length));
  expect(files).toContain('apps/gateway/src/main.ts');
  expect(files.filter((file) => /^test\/|^tools\/|\.spec\.ts$|provider-kit/.test(file))).toEqual(
    [],
  );
});

it('the image is built by the product build', () => {
  const dockerfile = readFileSync(`${root}deploy/Dockerfile`, 'utf8');
  expect(dockerfile).toContain('node tools/build.mjs --product');
});

it('the image has the programs with all that they read, in the place of what was compiled', () => {
  const dockerfile = readFileSync(`${root}deploy/Dockerfile`, 'utf8');
  expect(dockerfile).toContain('cp -r dist/run /program/dist');
  for (const file of ['apps/gateway/src/main.js', 'libs/providers/manifests.json', 'modules.json'])
    expect(existsSync(`${root}dist/run/${file}`)).toBe(true);
});
