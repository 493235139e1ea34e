// npm run coverage: how much of libs/mapping its own specs run. Fails below the thresholds. A step of .ci/run; npm run check
// leaves it out, as it takes more than a minute of processor time.
//   npm run coverage -- libs/mapping/src/language/json     by these specs alone, which falls below the thresholds
import { join } from 'node:path';
import { root, run } from './install.mjs';

/** Percent, a little below what the specs reach. */
const thresholds = { statements: 97, branches: 94, functions: 96, lines: 97 };

const specs = process.argv.slice(2);
run(process.execPath, [
  join(root, 'tools/test.mjs'),
  '--coverage',
  '--coverageReporters=text-summary',
  '--coverageDirectory=.cache/coverage',
  '--collectCoverageFrom=dist/libs/mapping/src/**/*.js',
  '--collectCoverageFrom=!**/*.spec.js',
  `--coverageThreshold=${JSON.stringify({ global: thresholds })}`,
  ...(specs.length > 0 ? specs : ['libs/mapping']),
]);
