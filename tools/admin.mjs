// npm run -s admin -- <command>: tasks of an operator outside of the API. Without a command it lists them.
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
process.chdir(root);
await import('../dist/run/apps/admin/src/main.js');
