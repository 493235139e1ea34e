// Kills worker, connector, gateway, management, PostgreSQL and NATS with SIGKILL, one after the other and all at once, over and over, while deliveries
// and jobs go on, and counts at a receiver that remembers: nothing may be lost, and what is repeated must have its id. Ends with 1 if it is not so.
//   npm run proof -- worker                                       100,000 deliveries, 200 jobs of 10,000 records, 64 kills
//   npm run proof -- worker --accounts 500 --messages 200 --jobs 10 --records 1000 --kills 8
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged('test');
/** @param {number} value @returns {{ type: 'string', default: string }} */
const number = (value) => ({ type: 'string', default: String(value) });
const { values } = parseArgs({
  options: {
    accounts: number(24_500),
    webhooks: number(4),
    messages: number(2_000),
    jobs: number(200),
    records: number(10_000),
    page: number(500),
    kills: number(64),
    minutes: number(180),
  },
});
const size = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));
if (!(size.kills < Math.min(size.jobs, size.accounts))) {
  console.error(
    'proof-worker: each kill needs a job and an account: fewer --kills, or more of these',
  );
  process.exit(2);
}
const { surviveKills, victims } = await import(join(root, 'dist/test/proof/survive-kills.js'));
const { faultsOf } = await import(join(root, 'dist/test/proof/count-survived.js'));
const begun = performance.now();
const round = [...victims, 'operations 2', 'everything'];
const kills = Array.from({ length: size.kills }, (_, n) => round[n % round.length]);
const { accounts, webhooks, messages, jobs, records, page } = size;
const survived = await surviveKills({
  accounts,
  webhooks,
  messages,
  jobs,
  records,
  kills,
  pageRecords: page,
  withinMs: size.minutes * 60_000,
  log: console.log,
});
console.log(survived);
console.log(`${kills.length} kills, ${Math.round((performance.now() - begun) / 1_000)} s`);
const faults = faultsOf(survived);
if (Object.keys(faults).length > 0) {
  console.error('proof-worker: lost, doubled or changed:', faults);
  process.exitCode = 1;
}
