import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setupsOf } from '#apps/provider-kit';
import type { Provider } from '#connect';
import { loadValidators, operationOf, type OperationId } from '#contract';
import { connectDatabase, Store, wholeOrganization } from '#store';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { compiledOf } from '../../apps/provider-kit/src/compiled-folder.js';
import { fakeFolders } from '../../apps/provider-kit/src/folders.js';
import { type Repeated, RepeatedCreates } from './repeated-creates.js';

let testDatabase: TestDatabase;
let store: Store;

beforeAll(async () => {
  await loadValidators();
  testDatabase = await createMigratedDatabase();
  store = new Store(await connectDatabase({ url: testDatabase.url }));
  await store.write(wholeOrganization('org_1'), (tx) =>
    tx.query(
      `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
       values ('org_1', 'org_1', 'org_1', 'root', 'tok', now(), now())`,
    ),
  );
});
afterAll(async () => {
  await store.close();
  await testDatabase.drop();
});

const setups = fakeFolders()
  .flatMap(setupsOf)
  .map((setup) => {
    const provider = compiledOf(setup.folder).providers.find(({ type }) => type === setup.type);
    const operations: Provider['operations'] = provider?.operations ?? {};
    return { setup, operations };
  })
  .filter(({ operations }) =>
    Object.keys(operations).some((id) => operationOf(id as OperationId).creates),
  );

const figures = { repeated: 0, settled: 0, told: 0, duplicates: 0, lost: 0 };
afterAll(() => console.log('creates that met a fault, and were repeated:', figures));

it.each(setups.map((one) => [one.setup.type, one] as const))(
  'repeats of creates at %s make nothing twice and lose nothing',
  async (_type, { setup, operations }) => {
    const creates = new RepeatedCreates(setup, store);
    await creates.run();
    const offered = Object.keys(operations) as OperationId[];
    expect(offered.filter((id) => operationOf(id).creates && !creates.tried.has(id))).toEqual([]);
    for (const one of creates.repeated) {
      figures.repeated += 1;
      if (one.extra > 0) figures.duplicates += 1;
      else if (one.status >= 300) figures.told += 1;
      else if (one.extra < 0) figures.lost += 1;
      else figures.settled += 1;
    }
    expect(creates.repeated.filter((one) => isWrong(one, operations))).toEqual([]);
  },
);

/** A repeated create makes its record once, or says that the caller has to look for it: where the provider cannot tell, and something was sent. */
function isWrong(one: Repeated, operations: Provider['operations']): boolean {
  if (one.extra > 0) return true;
  if (one.status < 300) return one.extra !== 0;
  if (operations[one.operation]?.settles !== undefined) return true;
  return one.kind !== 'outcome-unknown' || (one.fault === 'unreachable' && one.isUntouched);
}
