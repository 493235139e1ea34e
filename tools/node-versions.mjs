// Other versions of Node, from the binary packages on npm, which are kept in .cache.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './install.mjs';

/** Installs a version, such as 24 or 24.21.0. @returns the path of its program, and the whole version */
export function installNode(version) {
  if (!/^\d+(?:\.\d+){0,2}$/.test(version)) {
    console.error(`${version} is not a version of Node; an example is 24`);
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
  return { node, full: spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim() };
}
