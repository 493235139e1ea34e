import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const tools = new URL('../../../tools/', import.meta.url);
const dist = new URL('../../', import.meta.url);

it('tools load the test machinery without Jest', () => {
  const modules = new Set(
    readdirSync(tools)
      .filter((name) => name.endsWith('.mjs'))
      .flatMap((name) => [
        ...readFileSync(new URL(name, tools), 'utf8').matchAll(/dist\}?\/(test\/[\w/-]+\.js)'?/g),
      ])
      .map(([, path]) => path ?? '')
      .filter((path) => !path.endsWith('/main.js')), // a program
  );
  expect(modules).toContain('test/attack/fuzz.js');
  const imports = [...modules].map((path) => `import '${new URL(path, dist).href}';`);
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', imports.join('\n')],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('tools import files of the build that exist', () => {
  const missing = readdirSync(tools)
    .filter((name) => name.endsWith('.mjs'))
    .flatMap((name) => {
      const text = readFileSync(new URL(name, tools), 'utf8');
      // A path below a folder that the file names once, such as `${root}/dist/libs`.
      const folder = /const dist = `\$\{root\}\/dist\/?([\w/]*)`/.exec(text)?.[1] ?? '';
      const paths = [
        ...text.matchAll(/\$\{dist\}\/([\w./-]+\.js)`/g),
        ...text.matchAll(/\$\{root\}\/dist\/([\w./-]+\.js)`/g),
      ].map(([whole, path = '']) => (whole.includes('root') ? path : `${folder}/${path}`));
      return paths
        .filter((path) => !existsSync(new URL(path.replace(/^\//, ''), dist)))
        .map((path) => `${name}: ${path}`);
    });
  expect(missing).toEqual([]);
});
