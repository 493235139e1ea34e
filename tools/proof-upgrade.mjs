// npm run proof -- upgrade: replaces every process of the previous version by one of this version and back, in both orders, under load with
// files and jobs, and ends with 1 if a call failed. Not part of npm test, because it takes ten minutes.
//   npm run proof -- upgrade --minutes 2 --previous d31284d8      any commit; without it the one before this
// The previous version is built once, in .cache/previous/<commit>.
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';
import { previousVersion } from './upgrade/previous-version.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    previous: { type: 'string', default: 'HEAD~1' },
  },
});
const previous = previousVersion(values.previous);
const { openProcesses } = await import('./upgrade/processes.mjs');
const { rollUnderLoad } = await import('./upgrade/roll.mjs');

const started = Date.now();
const say = (text) => console.log(`${Math.round((Date.now() - started) / 1000)} s: ${text}`);
const now = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' });
say(`from ${previous.commit} to ${now.trim()}, Node ${process.version}, load ${loadavg()[0]}`);
const installation = await openProcesses({ previous: previous.folder, current: root });
try {
  const report = await rollUnderLoad({
    installation,
    token: installation.token,
    minutes: Number(values.minutes),
    say,
  });
  const counts = Object.entries(report.counts).map(([kind, count]) => `${count} of ${kind}`);
  say(
    `${counts.join(', ')}; ${report.failed} failed; the longest call took ${report.slowest.ms} ms (${report.slowest.call})`,
  );
  process.exitCode = report.failed === 0 ? 0 : 1;
} finally {
  await installation.close();
}
