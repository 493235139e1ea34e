// npm run -s provider -- <command>: for whoever adds a provider. Without a command it lists them.
import { buildIfCodeChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfCodeChanged();
process.chdir(root);
process.setSourceMapsEnabled(true);
await import('../dist/run/apps/provider-kit/src/main.js');
