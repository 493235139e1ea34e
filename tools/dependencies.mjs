// npm run deps: lists packages of which there are newer versions, and those with known vulnerabilities at run time. It changes nothing;
// docs/dependencies.md says how to update.
import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';

const npm = (...args) => spawnSync('npm', args, { cwd: root, stdio: 'inherit' }).status ?? 1;
console.log('Newer versions:');
npm('outdated'); // ends with 1 where there are any
console.log('\nKnown vulnerabilities of what is shipped:');
process.exit(npm('audit', '--omit', 'dev'));
