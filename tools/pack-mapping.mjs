// npm run -s pack:mapping: makes the package @onefold/mapping, onefold-mapping-VERSION.tgz, for those who have no checkout.
//   --to FOLDER     where the package is written; the folder of the caller when absent
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installMissing } from './install.mjs';
import { packFolder, writeMappingPackage } from './mapping-package.mjs';

const { values } = parseArgs({ options: { to: { type: 'string' } } });
installMissing();
const stage = mkdtempSync(join(tmpdir(), 'onefold-mapping-'));
try {
  writeMappingPackage(stage);
  console.log(packFolder(stage, resolve(values.to ?? process.env['INIT_CWD'] ?? '.')));
} finally {
  rmSync(stage, { recursive: true, force: true });
}
