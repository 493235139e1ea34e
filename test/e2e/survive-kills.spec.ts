import { expect, it } from '@jest/globals';
import { surviveKills, victims } from '../proof/survive-kills.js';

// The same with 100,000 deliveries and 200 jobs of 10,000 records: npm run proof:worker.
it('loses no delivery and no record of a job while each process is killed, and repeats only with equal ids', async () => {
  const survived = await surviveKills({
    ...{ accounts: 150, webhooks: 2, jobs: 4, records: 200, pageRecords: 20 },
    ...{ kills: victims, pauseMs: 500, withinMs: 270_000, log: () => undefined },
  });
  expect(survived).toMatchObject({
    ...{ deliveries: 300, lostDeliveries: 0, foreignDeliveries: 0 },
    ...{ lostRecords: 0, doubledRecords: 0, changedBatches: 0 },
  });
  expect(survived.jobs).toBeGreaterThanOrEqual(4);
}, 300_000);
