// npm run -s provider -- <command>: for whoever adds a provider. Without a command it lists them.
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
process.chdir(root);
process.setSourceMapsEnabled(true);
await import('../dist/apps/provider-kit/src/main.js');
