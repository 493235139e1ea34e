// The README's test command: installs what is missing, builds, runs every spec, closes with `N passed, N failed`.
//   npm test                     everything
//   npm test -- libs/mapping     only paths that match, over what was built before and has changed since
//   npm test -- --times          prints the times of every spec file at the end, not only of the slowest ones
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { installMissing, root, run } from './install.mjs';

const maxSlowest = 10;

installMissing();
const paths = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
run(process.execPath, ['tools/build.mjs', ...(paths.length > 0 ? ['--changes'] : [])]);
const report = join(tmpdir(), `onefold-jest-${process.pid}.json`);
/** Lines of tools/jest/environment.mjs: the processor time of each spec file. */
const processorFile = join(tmpdir(), `onefold-jest-${process.pid}.processor`);
const printsAll = process.argv.includes('--times');
const args = process.argv
  .slice(2)
  .filter((arg) => arg !== '--times')
  .map((arg) => arg.replace(/\.ts$/, '.js'));
await provideBrowser(args);
const result = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    // A worker of specs makes much garbage beside much that it keeps: it is collected half as often in four times the default, which takes
    // a twentieth less processor time.
    '--max-semi-space-size=64',
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
  if (printsAll) printAll(results.testResults);
  else if (results.testResults.length > maxSlowest) printSlowest(results.testResults);
  const skipped = numPendingTests ? `, ${numPendingTests} skipped` : '';
  console.log(
    `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed${skipped}`,
  );
} catch {
  console.log('0 passed, 1 failed'); // Jest ended before it could report; its own output above says why.
}
for (const file of [report, processorFile]) rmSync(file, { force: true });
process.exit(result.status ?? 1);

/** Obtains a Chromium for the specs that need one. Without one they are skipped, and their titles say so. */
async function provideBrowser(paths) {
  const folders = ['test/console/', 'test/api/reference-page'];
  const runsThem = (path) =>
    folders.some((folder) => folder.startsWith(path) || path.startsWith(folder));
  if (paths.length > 0 && !paths.some(runsThem)) return;
  const { provideChromium } = await import('../dist/test/harness/programs/chromium-binary.js');
  try {
    process.env.CHROMIUM = await provideChromium();
  } catch (error) {
    const reason = error.message.trim().split('\n').at(-1);
    console.log(
      `No Chromium: the specs in it are skipped (Debian's package was not fetched: ${reason}).`,
    );
  }
}

/**
 * Prints the spec files that took longest, so that a slow one is noticed, with the processor time of the spec and of the processes that it
 * started: unlike the time, it is hardly longer on a busy machine.
 */
function printSlowest(files) {
  const slowest = timesOf(files).sort((a, b) => b.seconds - a.seconds);
  console.log(
    'Slowest spec files, in seconds, with the processor time of their tests and of their processes:',
  );
  for (const one of slowest.slice(0, maxSlowest)) printTimes(one);
}

/** Prints all spec files by their processor time. Browsers and PostgreSQL, which are nobody's children, are missing in it. */
function printAll(files) {
  const all = timesOf(files);
  const sum = (of) => all.reduce((total, one) => total + of(one), 0);
  console.log(
    'Spec files, in seconds, with the processor time of their tests and of their processes:',
  );
  for (const one of all.sort((a, b) => b.own + b.children - a.own - a.children)) printTimes(one);
  const workers = new Set(all.map(({ worker }) => worker)).size;
  printTimes({
    name: join(root, `all ${all.length}, by ${workers} workers, with those that started anew`),
    seconds: sum((one) => one.seconds),
    own: sum((one) => one.own),
    children: sum((one) => one.children),
  });
}

function timesOf(files) {
  const processor = readProcessorTimes();
  return files.map(({ name, startTime, endTime }) => {
    const { own = 0, children = 0, worker } = processor.get(name) ?? {};
    return { name, seconds: (endTime - startTime) / 1_000, own, children, worker };
  });
}

function printTimes({ name, seconds, own, children }) {
  const columns = [seconds, own, children].map((value) => value.toFixed(1).padStart(7));
  console.log(`${columns.join('')}  ${relative(root, name)}`);
}

function readProcessorTimes() {
  if (!existsSync(processorFile)) return new Map(); // Jest's own environment, for coverage, does not write it.
  const lines = readFileSync(processorFile, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => JSON.parse(line)).map((one) => [one.name, one]));
}
