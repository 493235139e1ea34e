// Packs a folder that a function fills, as `npm pack` does: what the tools that make packages share.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from './install.mjs';

/** The package.json of the repository. */
export const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Lets `fill` write a package into a new folder, packs it, and prints the path of the package. @param to the folder of the caller when absent */
export async function packFolder(to, fill) {
  const target = resolve(to ?? process.env['INIT_CWD'] ?? '.');
  const folder = mkdtempSync(join(tmpdir(), 'onefold-pack-'));
  try {
    await fill(folder);
    mkdirSync(target, { recursive: true });
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', target];
    const name = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
    console.log(join(target, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function writeManifest(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Writes a workspace into a folder as a package: what its sources compile to, its package.json and the licence. @param room such as `libs/mapping` */
export function writeCompiled(folder, room) {
  const compiler = join(root, 'node_modules/typescript7/bin/tsc');
  const project = join(root, room, 'tsconfig.package.json');
  const args = [compiler, '-p', project, '--outDir', join(folder, 'dist')];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
  const manifest = JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8'));
  delete manifest.scripts; // They are for a checkout.
  writeManifest(folder, manifest);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}
