import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { connectDatabase, Store, wholeOrganization } from '#store';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { admitRuns, maxRunsPerAccount } from './admit-runs.js';

let database: TestDatabase;
let owner: pg.Client;
let store: Store;
beforeAll(async () => {
  database = await createMigratedDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  store = new Store(await connectDatabase({ url: database.url }));
  await owner.query(
    `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
     values ('org_a', 'a', 'A', 'root', 'tok_default', now(), now())`,
  );
});
afterAll(async () => {
  await store.close();
  await owner.end();
  await database.drop();
});
beforeEach(async () => {
  await owner.query('delete from accounts');
});

/** Creates accounts `acc_0001` and so on, each with an integration and a job. */
async function addAccounts(from: number, to: number): Promise<void> {
  await owner.query(
    `insert into accounts (id, organization_id, name, fullname, environment, labels, created_at, updated_at)
       select 'acc_' || lpad(n::text, 4, '0'), 'org_a', 'account-' || n, 'A', 'prod', '{}', now(), now() from generate_series(${from}, ${to}) n;
     insert into integrations (id, organization_id, name, fullname, account_id, category, provider_type, provider_fullname,
         provider_config, refresh_token_id, created_at, updated_at)
       select 'int_' || n, 'org_a', 'integration-' || n, 'I', 'acc_' || lpad(n::text, 4, '0'), 'ticketing', 't', 'T', '{}', 'tok_a', now(), now()
       from generate_series(${from}, ${to}) n;
     insert into operations (id, organization_id, account_id, integration_id, operation, input, status, created_at, updated_at)
       select 'opr_' || n, 'org_a', 'acc_' || lpad(n::text, 4, '0'), 'int_' || n, 'ticketing_query_tickets', '{}', 'SCHEDULED', now(), now()
       from generate_series(${from}, ${to}) n;`,
  );
}

let runs = 0;
/** Adds waiting runs to the job of an account. */
async function addRuns(account: number, count: number, createdAt = new Date()): Promise<void> {
  runs += count;
  await owner.query(
    `insert into operation_runs (id, organization_id, operation_id, integration_id, trigger_type, trigger_source, created_at)
     select 'exe_' || n, 'org_a', 'opr_${account}', 'int_${account}', 'API', 'manual', $1 from generate_series(${runs - count + 1}, ${runs}) n`,
    [createdAt],
  );
}

/** Lets runs in, and returns the accounts of those that have a place then. */
async function admit(now = new Date()): Promise<string[]> {
  await store.write(wholeOrganization('org_a'), (tx) => admitRuns(tx, now));
  return await placed();
}

async function placed(): Promise<string[]> {
  const { rows } = await owner.query<{ account: string }>(
    'select account_id as account from operation_runs where admitted_at is not null order by 1',
  );
  return rows.map(({ account }) => account);
}

describe('runs that are let into the queue', () => {
  it('have the account of their job', async () => {
    await addAccounts(1, 2);
    await addRuns(2, 1);
    expect(await admit()).toEqual(['acc_0002']);
  });

  it('are those of another account at once, while 100,000 of one account wait', async () => {
    await addAccounts(1, 2);
    await addRuns(1, 100_000, new Date('2026-01-01'));
    await owner.query('vacuum analyze operation_runs');
    expect(await admit()).toEqual(Array(maxRunsPerAccount).fill('acc_0001'));
    await addRuns(2, 1);
    expect(await admit()).toEqual([
      ...Array<string>(maxRunsPerAccount).fill('acc_0001'),
      'acc_0002',
    ]);
    // Each page that ends looks for the next runs, and a scan of all that wait would hold the other processes up.
    await owner.query(
      `delete from operation_runs where id = (select id from operation_runs where admitted_at is not null limit 1)`,
    );
    const read = await store.write(wholeOrganization('org_a'), async (tx) => {
      await admitRuns(tx, new Date());
      const [rows] = await tx.query<{ count: number }>(
        `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count from pg_stat_xact_user_tables where relname = 'operation_runs'`,
      );
      return rows?.count;
    });
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(1_000);
  });

  it('are of each of many accounts in time, also of those behind the ones that are looked at', async () => {
    await addAccounts(1, 450);
    const long = new Date('2026-01-01');
    for (let account = 1; account < 450; account += 1) await addRuns(account, 1, long);
    await addRuns(450, 1);
    const turns: string[] = await admit();
    // Each run that ends is followed by another one of its account, and leaves its place to the next.
    for (let now = Date.now(); !turns.includes('acc_0450') && turns.length < 2_000; now += 1_000) {
      const at = new Date(now);
      const { rows } = await owner.query<{ account: string }>(
        `delete from operation_runs where id = (select id from operation_runs where admitted_at is not null order by admitted_at limit 1)
         returning account_id as account`,
      );
      await addRuns(Number(rows[0]?.account.slice(-4)), 1, at);
      const before = new Set(await placed());
      turns.push(...(await admit(at)).filter((account) => !before.has(account)));
    }
    expect(turns.at(-1)).toBe('acc_0450');
    expect(new Set(turns).size).toBe(450);
  });
});
