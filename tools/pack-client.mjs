// npm run -s pack -- client: makes the package @onefold/client, onefold-client-VERSION.tgz, of the contract of this checkout.
//   --to FOLDER     where the package is written; the folder of the caller when absent
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installMissing, root, run } from './install.mjs';
import { packFolder, writeManifest } from './pack-folder.mjs';

const { values } = parseArgs({ options: { to: { type: 'string' } } });
installMissing();
for (const room of ['contract', 'client'])
  run(process.execPath, [join(root, 'libs', room, 'build.mjs')]);
await packFolder(values.to, (folder) => {
  const room = join(root, 'libs/client');
  const compiler = join(root, 'node_modules/typescript7/bin/tsc');
  const args = ['-p', join(room, 'tsconfig.package.json'), '--outDir', join(folder, 'dist')];
  execFileSync(process.execPath, [compiler, ...args], { stdio: 'inherit' });
  const manifest = JSON.parse(readFileSync(join(room, 'package.json'), 'utf8'));
  delete manifest.scripts; // They are for a checkout.
  writeManifest(folder, manifest);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(room, 'README.md'), join(folder, 'README.md'));
});
