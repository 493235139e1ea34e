// The README's test command: installs what is missing, builds, runs every spec, closes with `N passed, N failed`.
//   npm test                     everything
//   npm test -- libs/mapping     only paths that match
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { installMissing, root, run } from './install.mjs';

const maxSlowest = 10;

installMissing();
run(process.execPath, ['tools/build.mjs']);
const report = join(tmpdir(), `onefold-jest-${process.pid}.json`);
const args = process.argv.slice(2).map((arg) => arg.replace(/\.ts$/, '.js'));
const result = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    '--enable-source-maps',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${report}`,
    ...args,
  ],
  { cwd: root, stdio: 'inherit' },
);
try {
  const results = JSON.parse(readFileSync(report, 'utf8'));
  const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = results;
  if (results.testResults.length > maxSlowest) printSlowest(results.testResults);
  const skipped = numPendingTests ? `, ${numPendingTests} skipped` : '';
  console.log(
    `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed${skipped}`,
  );
} catch {
  console.log('0 passed, 1 failed'); // Jest ended before it could report; its own output above says why.
}
rmSync(report, { force: true });
process.exit(result.status ?? 1);

/** Prints the spec files that took longest, so that a slow one is noticed. */
function printSlowest(files) {
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1_000;
  const slowest = files.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, maxSlowest);
  console.log('Slowest spec files:');
  for (const file of slowest)
    console.log(`${seconds(file).toFixed(1).padStart(7)} s  ${relative(root, file.name)}`);
}
