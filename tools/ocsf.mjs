// npm run -s ocsf -- lint FILE|-: checks OCSF records.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
const program = join(root, 'dist/libs/ocsf/src/command/main.js');
if (!existsSync(program)) buildIfChanged();
await import(program);
