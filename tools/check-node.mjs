// Runs the suite on another version of Node, from the binary packages on npm, which are kept in .cache:
//   npm run check:node -- 24                  everything
//   npm run check:node -- 24 libs/store       only paths that match
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root, run } from './install.mjs';

const [version, ...paths] = process.argv.slice(2);
if (!/^\d+(?:\.\d+){0,2}$/.test(version ?? '')) {
  console.error('Say which version: npm run check:node -- 24');
  process.exit(2);
}
const system = process.platform === 'win32' ? 'win' : process.platform;
const name = `node-${system}-${process.arch}`;
const folder = join(root, '.cache', `node-${version}`);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
run('npm', ['install', '--no-audit', '--no-fund', '--no-save', `${name}@${version}`], {
  cwd: folder,
});
const node = join(folder, 'node_modules', name, 'bin', 'node');
console.log(`Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);
// Programs that tests start by name get the same version.
run(node, ['tools/test.mjs', ...paths], {
  env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
});
