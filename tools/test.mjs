// The README's test command: installs what is missing, builds, runs every spec, closes with `N passed, N failed`.
//   npm test                     everything; a few spec files that fail are run once more, alone, and what passes only then is named
//   npm test -- libs/mapping     only paths that match, over what was built before and has changed since
//   npm test -- --times          prints the times of every spec file at the end, not only of the slowest ones
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { installMissing, root, run } from './install.mjs';

const maxSlowest = 10;
const maxRunAgain = 3;

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
let { status, files } = runJest(args);
if (printsAll) printAll(files);
else if (files.length > maxSlowest) printSlowest(files);
const failedFiles = files.filter((file) => file.status === 'failed');
// Specs that start processes and browsers share few cores with others, and one of thousands may depend on that. A fault of the product
// fails alone, too; many files that fail are no matter of load.
if (paths.length === 0 && failedFiles.length > 0 && failedFiles.length <= maxRunAgain) {
  const names = failedFiles.map(({ name }) => relative(root, name));
  console.log(
    `Failed beside others, run again alone:\n${names.map((name) => `  ${name}\n`).join('')}`,
  );
  const again = runJest(['--maxWorkers=1', '--runTestsByPath', ...names]);
  if (again.status === 0) {
    status = 0;
    printUnsteady(failedFiles);
  }
  files = [...files.filter((file) => !failedFiles.includes(file)), ...again.files];
}
printSum(files);
for (const file of [report, processorFile]) rmSync(file, { force: true });
process.exit(status);

/** Runs Jest; its output goes to the terminal. `files` are those of its report, none where it ended before it could write one. */
function runJest(args) {
  rmSync(report, { force: true });
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
  const files = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
  return { status: result.status ?? 1, files };
}

/** Names the tests that failed beside others and passed alone: each of them expects something of the load, and is to be mended. */
function printUnsteady(files) {
  console.log('Passed only when run again, alone:');
  for (const { name, assertionResults } of files) {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const titles = failed.length > 0 ? failed.map(({ fullName }) => fullName) : ['the file'];
    for (const title of titles) console.log(`  ${relative(root, name)}: ${title}`);
  }
}

function printSum(files) {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const count = (status) => tests.filter((test) => test.status === status).length;
  // A file that could not be run has no failed test. Where there is no file, Jest ended early, and its own output says why.
  const notRun = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = files.length === 0 && status !== 0 ? 1 : count('failed') + notRun;
  const skipped = count('pending') > 0 ? `, ${count('pending')} skipped` : '';
  console.log(`${count('passed')} passed, ${failed} failed${skipped}`);
}

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
