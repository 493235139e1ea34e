import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
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

it('the image has the link by which the build connects @onefold/mapping with what it compiled', () => {
  const dockerfile = readFileSync(`${root}deploy/Dockerfile`, 'utf8');
  const target = readlinkSync(`${root}libs/mapping/dist`);
  expect(dockerfile).toContain(`ln -s ${target} /program/libs/mapping/dist `);
});
