// The README's test command: installs what is missing, builds, runs every spec, closes with `N passed, N failed`.
//   npm test                     everything
//   npm test -- libs/mapping     only paths that match
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { installMissing, root, run } from './install.mjs';

const maxSlowest = 10;

installMissing();
run(process.execPath, ['tools/build.mjs']);
const report = join(tmpdir(), `onefold-jest-${process.pid}.json`);
/** Lines of tools/jest/environment.mjs: the processor time of each spec file. */
const processorFile = join(tmpdir(), `onefold-jest-${process.pid}.processor`);
const args = process.argv.slice(2).map((arg) => arg.replace(/\.ts$/, '.js'));
const result = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${report}`,
    ...args,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SPEC_PROCESSOR_FILE: processorFile },
  },
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
for (const file of [report, processorFile]) rmSync(file, { force: true });
process.exit(result.status ?? 1);

/**
 * Prints the spec files that took longest, so that a slow one is noticed, with the processor time of the spec and of the processes that it
 * started: unlike the time, it is hardly longer on a busy machine.
 */
function printSlowest(files) {
  const processor = readProcessorTimes();
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1_000;
  const slowest = files.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, maxSlowest);
  console.log(
    'Slowest spec files, in seconds, with the processor time of their tests and of their processes:',
  );
  for (const file of slowest) {
    const { own = 0, children = 0 } = processor.get(file.name) ?? {};
    const columns = [seconds(file), own, children].map((value) => value.toFixed(1).padStart(7));
    console.log(`${columns.join('')}  ${relative(root, file.name)}`);
  }
}

function readProcessorTimes() {
  if (!existsSync(processorFile)) return new Map(); // Jest's own environment, for coverage, does not write it.
  const lines = readFileSync(processorFile, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => JSON.parse(line)).map((one) => [one.name, one]));
}
