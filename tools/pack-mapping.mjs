// npm run -s pack -- mapping: makes the package @onefold/mapping, onefold-mapping-VERSION.tgz, for those who have no checkout.
//   --to FOLDER     where the package is written; the folder of the caller when absent
import { parseArgs } from 'node:util';
import { installMissing } from './install.mjs';
import { writeMappingPackage } from './mapping-package.mjs';
import { packFolder } from './pack-folder.mjs';

const { values } = parseArgs({ options: { to: { type: 'string' } } });
installMissing();
await packFolder(values.to, writeMappingPackage);
