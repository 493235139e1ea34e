// npm start: installs what is missing, builds what has changed, runs everything in this process.
//   npm start -- --port 8081 --data /srv/onefold      other settings are variables: docs/configuration.md
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

const parent = process.ppid;
installMissing();
buildIfChanged();
process.chdir(root);
// npm passes on SIGINT and SIGTERM alone, to what its shell has become (`exec` in package.json). However else npm ends, by SIGHUP
// or kill -9, this process has another parent from then on, and stops as if it had been asked to.
if (process.env.npm_lifecycle_event !== undefined) {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
// In this process rather than in one below it: whatever ends this one, Ctrl-C or kill -9, ends the service and its database.
await import('../dist/run/apps/standalone/src/main.js');
