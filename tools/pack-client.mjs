// npm run -s pack -- client: makes the package @onefold/client, onefold-client-VERSION.tgz, of the contract of this checkout.
//   --to FOLDER     where the package is written; the folder of the caller when absent
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installMissing, root, run } from './install.mjs';
import { packFolder, writeCompiled } from './pack-folder.mjs';

const { values } = parseArgs({ options: { to: { type: 'string' } } });
installMissing();
for (const room of ['contract', 'client'])
  run(process.execPath, [join(root, 'libs', room, 'build.mjs')]);
await packFolder(values.to, (folder) => {
  writeCompiled(folder, 'libs/client');
  copyFileSync(join(root, 'libs/client/README.md'), join(folder, 'README.md'));
});
