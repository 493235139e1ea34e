import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Bus, ResolvedIntegration } from '#bus';
import { removeLater } from '#outbox';
import { QueueWorker } from '#queue';
import { keyOf, Sealer } from '#secrets';
import { openPool, openStore, type Store, wholeOrganization } from '#store';
import { createMigratedDatabase, type TestDatabase, until } from '#test/harness';
import { webhookRemovals } from './webhook-removals.js';

let database: TestDatabase;
let store: Store;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createMigratedDatabase();
  store = await openStore({ url: database.url });
  pool = openPool({ url: database.url, poolSize: 6 });
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(
    `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
     select 'org_' || n, 'acme' || n, 'Acme', 'root', 'tok_' || n, now(), now() from generate_series(1, 2) n`,
  );
  await owner.end();
});
afterAll(async () => {
  await pool.end();
  await store.close();
  await database.drop();
});

it('webhooks of one organization are removed one at a time, so that providers that do not answer take one place', async () => {
  const begun: string[] = [];
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const bus = {
    call: async (_name: string, { integration }: { integration: ResolvedIntegration }) => {
      begun.push(integration.organizationId);
      if (integration.organizationId === 'org_1') await gate;
    },
  } as unknown as Bus;
  const remove = (organizationId: string, count: number) => {
    const ids = { id: 'int_1', organizationId, accountId: 'acc_1', category: 'ticketing' };
    const integration = ids as ResolvedIntegration;
    const webhook = { providerId: '1', project: 'p', token: 't', secret: 's' };
    const removals = Array.from({ length: count }, (_, n) => ({
      id: `iwh_${organizationId}_${n}`,
      integration,
      webhook,
    }));
    return store.write(wholeOrganization(organizationId), (tx) =>
      removeLater(tx, removals, new Date()),
    );
  };
  await remove('org_1', 6);
  await remove('org_2', 1);
  const sealer = new Sealer(keyOf(randomBytes(32)));
  const handlers = [webhookRemovals({ store, bus, sealer })];
  const worker = new QueueWorker({ pool, handlers, concurrency: 3 });
  worker.start();
  try {
    await until(() => begun.includes('org_1') && begun.includes('org_2')); // in either order
    expect(begun.toSorted()).toEqual(['org_1', 'org_2']);
    letGo();
    await until(() => begun.length === 7);
  } finally {
    letGo();
    await worker.stop();
  }
});
