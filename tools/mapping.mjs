// npm run -s mapping -- run|check|test|fmt|lint|explain|repl: the mapping language at the terminal.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
const program = join(root, 'dist/libs/mapping/src/command/main.js');
if (!existsSync(program)) buildIfChanged();
const { main } = await import(program);
const { sharedTemplate } = await import(join(root, 'dist/libs/ocsf/src/index.js'));
const { operations, recordOutline } = await import(join(root, 'dist/libs/contract/src/index.js'));
const outlineOf = (id) => (operations.has(id) ? (recordOutline(id) ?? null) : undefined);
await main({ program: 'npm run -s mapping --', shared: sharedTemplate, outlineOf });
