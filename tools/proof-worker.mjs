// Kills worker, connector, gateway, management, PostgreSQL and NATS with SIGKILL, over and over, while deliveries and jobs go on, and counts at a receiver that
// remembers: nothing may be lost, and what is repeated must have its id. Ends with 1 if it is not so.
//   npm run proof:worker                                       100,000 deliveries, 200 jobs of 10,000 records, 60 kills
//   npm run proof:worker -- --accounts 1000 --jobs 10 --kills 12
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged();
const number = (value) => ({ type: 'string', default: String(value) });
const { values } = parseArgs({
  options: {
    ...{
      accounts: number(25_000),
      webhooks: number(4),
      jobs: number(200),
      records: number(10_000),
    },
    ...{ page: number(500), kills: number(60), pause: number(5_000), minutes: number(180) },
  },
});
const { surviveKills, victims } = await import(join(root, 'dist/test/proof/survive-kills.js'));
const begun = performance.now();
const kills = Array.from({ length: Number(values.kills) }, (_, n) => victims[n % victims.length]);
const survived = await surviveKills({
  ...{ accounts: Number(values.accounts), webhooks: Number(values.webhooks) },
  ...{ jobs: Number(values.jobs), records: Number(values.records) },
  ...{ pageRecords: Number(values.page), kills, pauseMs: Number(values.pause) },
  ...{ withinMs: Number(values.minutes) * 60_000, log: console.log },
});
console.log(survived);
console.log(`${kills.length} kills, ${Math.round((performance.now() - begun) / 1_000)} s`);
const { lostDeliveries, foreignDeliveries, lostRecords, doubledRecords, changedBatches } = survived;
if (lostDeliveries + foreignDeliveries + lostRecords + doubledRecords + changedBatches > 0)
  process.exitCode = 1;
