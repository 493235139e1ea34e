// npm run bench -- soak: calls every operation of all mocks, each walk on an integration that is made for it and deleted behind it, and beside them management,
// jobs, webhooks and messages of providers, at a share of what the machine carries, for an hour. It draws latency, vacuums of PostgreSQL and memory over time, and
// ends with 1 where a process has grown by more than 5 % after the warm-up (a quarter of the time), or where a call failed. docs/performance.md has what it printed.
//   npm run bench -- soak --minutes 60 --share 0.6
//   npm run bench -- soak --minutes 10 --rate 40 --domains ticketing --domains edr --csv windows.csv
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { imageOptions } from './bench-targets.mjs';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged('test');
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    share: { type: 'string', default: '0.6' },
    rate: { type: 'string' },
    walkers: { type: 'string', default: '16' },
    domains: { type: 'string', multiple: true },
    csv: { type: 'string' },
  },
});
const seconds = Number(values.minutes) * 60;
const options = {
  seconds,
  windowSeconds: 10,
  sampleSeconds: seconds / 60,
  warmUpSeconds: seconds / 4,
  maxShare: 0.05,
  kinds: ['used', 'resident'],
  share: Number(values.share),
  rate: values.rate === undefined ? undefined : Number(values.rate),
  walkers: Number(values.walkers),
  domains: values.domains,
  say: console.log,
};
const dist = (path) => import(join(root, 'dist/test', `${path}.js`));
const { memoryReporter } = await dist('attack/memory');
const { startOnOwnServers } = await dist('proof/own-servers');
const { RecordServer } = await dist('proof/record-server');
const { runSoak } = await dist('proof/soak/run-soak');
const { reportSoak, windowsAsCsv } = await dist('proof/soak/soak-report');

console.log(
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)} before`,
);
const server = await RecordServer.start(2_000, { forgets: true });
const servers = await startOnOwnServers({
  NODE_OPTIONS: `${imageOptions.NODE_OPTIONS} ${memoryReporter.NODE_OPTIONS}`,
});
try {
  const soaked = await runSoak(servers.onefold, servers.databaseUrl, server.url, options);
  const { windows, memory, growths, errors, errorCount, tables } = soaked;
  console.log(reportSoak(windows, memory, growths, options));
  console.log(`PostgreSQL vacuumed by itself:\n${tables.join('\n')}`);
  if (errorCount > 0) console.log(`${errorCount} calls failed, the first:\n${errors.join('\n')}`);
  if (values.csv !== undefined) writeFileSync(values.csv, windowsAsCsv(windows));
  process.exitCode = errorCount > 0 || growths.some(({ isWithin }) => !isWithin) ? 1 : 0;
} finally {
  await servers.stop();
  await server.stop();
}
