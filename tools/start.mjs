// npm start: installs what is missing, builds what has changed, runs everything in this process.
//   npm start -- --port 8081 --data /srv/onefold      other settings are variables: docs/configuration.md
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
process.chdir(root);
process.setSourceMapsEnabled(true);
// In this process rather than in one below it: whatever ends this one, Ctrl-C or kill -9, ends the service and its database.
await import('../dist/apps/standalone/src/main.js');
