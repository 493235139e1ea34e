import { expect, it } from '@jest/globals';
import { faultsOf } from '../proof/count-survived.js';
import { surviveKills, victims } from '../proof/survive-kills.js';

// The same with 100,000 deliveries and 200 jobs of 10,000 records: npm run proof -- worker.
it('loses no delivery and no record of a job while each process is killed, and repeats only with equal ids', async () => {
  const survived = await surviveKills({
    accounts: 140,
    webhooks: 2,
    messages: 28,
    jobs: 7,
    records: 200,
    pageRecords: 20,
    kills: victims,
    withinMs: 270_000,
    log: () => undefined,
  });
  expect(faultsOf(survived)).toEqual({});
  expect(survived).toMatchObject({ deliveries: 140 * 2 + 28, jobs: 7, records: 7 * 200 });
}, 300_000);
