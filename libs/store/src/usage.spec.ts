import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createIds } from '#config';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import {
  connectDatabase,
  kinds,
  maxDriftOfIntegration,
  organizationIds,
  Store,
  type StoredDrift,
  type UsageCounts,
} from './index.js';

const ids = createIds();
const organizationId = ids.next(organizationIds);
let testDatabase: TestDatabase;
let store: Store;
let owner: pg.Client;

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  store = new Store(await connectDatabase({ url: testDatabase.url, poolSize: 8 }));
  owner = new pg.Client({ connectionString: testDatabase.url });
  await owner.connect();
  await owner.query(
    `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
     values ($1, $1, $1, 'root', 'tok', now(), now())`,
    [organizationId],
  );
});
afterAll(async () => {
  await owner.end();
  await store.close();
  await testDatabase.drop();
});

const day = 86_400_000;

function counts(integrationId: string, minute = Date.now()): UsageCounts {
  return {
    organizationId,
    accountId: 'acc_1',
    integrationId,
    minute,
    requests: 1,
    jobRequests: 1,
    failed: 0,
    cpuTime: 1,
    dbOps: 1,
    apiOps: 1,
    inBytes: 1,
    outBytes: 1,
  };
}
const add = (source: string, ...all: UsageCounts[]) =>
  store.addUsage({ source, number: 1, counts: all, states: [] });
async function partitions(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'usage_minutes'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}
/** Events every two minutes until so long ago; `request` numbers them. */
async function events(integrationId: string, count: number, ago: string): Promise<void> {
  await owner.query(
    `insert into integration_events (organization_id, account_id, integration_id, name, created_at, status, request)
     select $1, 'acc_1', $2, lpad(n::text, 5, '0'), now() - $4::interval - ($3 - n) * interval '2 minutes', 'healthy', n
     from generate_series(1, $3::int) n`,
    [organizationId, integrationId, count, ago],
  );
}
async function integration(): Promise<string> {
  const id = ids.next(kinds.integrations);
  await owner.query(
    `insert into accounts (id, organization_id, name, fullname, created_at, updated_at, environment, labels)
     values ('acc_1', $1, 'one', 'one', now(), now(), 'prod', '{}')`,
    [organizationId],
  );
  await owner.query(
    `insert into integrations (id, organization_id, name, fullname, created_at, updated_at, account_id, category,
       provider_type, provider_fullname, provider_config, refresh_token_id)
     values ($2, $1, 'one', 'one', now(), now(), 'acc_1', 'ticketing', 'x', 'x', '{}', 'tok')`,
    [organizationId, id],
  );
  return id;
}
async function sum(table: string, where: string): Promise<number> {
  const { rows } = await owner.query<{ sum: number }>(
    `select coalesce(sum(requests), 0)::int as sum from ${table} where ${where}`,
  );
  return rows[0]?.sum ?? 0;
}

describe('usage in the database', () => {
  it('counts all of the first batches of a day, when many processes send theirs at once', async () => {
    expect(await partitions()).toEqual([]);
    const integrationId = ids.next(kinds.integrations);
    const due = await Promise.all(
      Array.from({ length: 8 }, (_, index) => add(`first-${index}`, counts(integrationId))),
    );
    expect(due).toContain(true);
    expect(await partitions()).toHaveLength(1);
    for (const table of ['integration_status', 'usage_minutes', 'usage_months'])
      expect(await sum(table, `integration_id = '${integrationId}'`)).toBe(8);
    expect(await add('later', counts(integrationId))).toBe(false);
  });

  it('counts for status and month what comes too late for the minutes', async () => {
    const integrationId = ids.next(kinds.integrations);
    const late = Date.now() - 3 * day;
    await add('late', counts(integrationId, late), counts(integrationId));
    const mine = `integration_id = '${integrationId}'`;
    expect(await sum('usage_minutes', mine)).toBe(1);
    expect(await sum('integration_status', mine)).toBe(2);
    expect(await sum('usage_months', mine)).toBe(2);
  });

  it('counts what a process of an older version sends, which does not tell jobs apart', async () => {
    const integrationId = ids.next(kinds.integrations);
    const old = {
      organization_id: organizationId,
      account_id: 'acc_1',
      integration_id: integrationId,
      minute: new Date(),
      requests: 1,
      failed: 0,
      cpu_time: 1,
      db_ops: 1,
      api_ops: 1,
      in_bytes: 1,
      out_bytes: 1,
    };
    await owner.query('select onefold_add_usage($1, 1, $2, $3)', [
      'older',
      JSON.stringify([old]),
      '[]',
    ]);
    await add('newer', counts(integrationId));
    for (const table of ['integration_status', 'usage_minutes', 'usage_months']) {
      const { rows } = await owner.query(
        `select sum(requests)::int as requests, sum(job_requests)::int as job_requests from ${table} where integration_id = $1`,
        [integrationId],
      );
      expect([table, rows]).toEqual([table, [{ requests: 2, job_requests: 1 }]]);
    }
  });

  it('keeps how long calls took when minutes become hours', async () => {
    const integrationId = ids.next(kinds.integrations);
    // 200 days ago nobody asks for any more.
    for (const days of [3, 200]) {
      const at = (ago: number) => new Date(Date.now() - ago * day).toISOString().slice(0, 10);
      await owner.query(`create table usage_minutes_${at(days).replaceAll('-', '')}
        partition of usage_minutes for values from ('${at(days)}Z') to ('${at(days - 1)}Z')`);
      await owner.query(
        `insert into usage_minutes (organization_id, account_id, integration_id, minute, latencies)
         select $1, 'acc_1', $2, $3::timestamptz + n * interval '1 minute', l
         from (values (0, '{1,2}'::bigint[]), (1, null), (2, '{1,0,3}')) as one(n, l)`,
        [organizationId, integrationId, `${at(days)}T10:00:00Z`],
      );
    }
    await store.dropOldUsage();
    const { rows } = await owner.query('select latencies from usage_hours');
    expect(rows).toEqual([{ latencies: ['2', '2', '3'] }]);
  });

  it('leaves out an organization that is gone, and counts the others of the batch', async () => {
    const integrationId = ids.next(kinds.integrations);
    const gone = {
      ...counts(ids.next(kinds.integrations)),
      organizationId: ids.next(organizationIds),
    };
    await add('gone', gone, counts(integrationId));
    expect(await sum('usage_months', `integration_id = '${gone.integrationId}'`)).toBe(0);
    expect(await sum('usage_months', `integration_id = '${integrationId}'`)).toBe(1);
  });

  it('drops partitions of minutes, months and events that nobody can ask for any more', async () => {
    const before = await partitions();
    await owner.query(`
      create table usage_minutes_20200101 partition of usage_minutes
        for values from ('2020-01-01') to ('2020-01-02');
      insert into usage_months (organization_id, month, integration_id, account_id, requests)
        select '${organizationId}', date_trunc('month', now()) - n * interval '1 month', 'int_months', 'acc_1', 1
        from generate_series(0, 20) n;
    `);
    await events('int_old', 1, '1 day'); // of an integration that is gone
    await events(await integration(), 1_010, '1 day');
    await store.dropOldUsage();
    expect(await partitions()).toEqual(before);
    expect(await sum('usage_months', `integration_id = 'int_months'`)).toBe(13);
    const { rows } = await owner.query(
      `select count(*)::int, min(request)::int from integration_events`,
    );
    expect(rows).toEqual([{ count: 1_000, min: 11 }]);
  });

  it('lets no organization see what others have used', async () => {
    const scope = { organizationId: ids.next(organizationIds), accounts: 'all' } as const;
    await store.read(scope, async (tx) => {
      for (const table of [
        'integration_status',
        'integration_events',
        'usage_minutes',
        'usage_months',
      ])
        expect(await tx.query(`select 1 from ${table}`)).toEqual([]);
    });
    const partition = (await partitions())[0];
    await expect(store.read(scope, (tx) => tx.query(`select 1 from ${partition}`))).rejects.toThrow(
      'permission denied',
    );
    await expect(
      store.read(scope, (tx) => tx.query('select 1 from usage_sources')),
    ).rejects.toThrow('permission denied');
  });
});

describe('drift', () => {
  const now = Date.now();
  const sunset = { operation: 'ticketing_get_ticket', kind: 'sunset' as const };
  async function driftOf(id: string): Promise<StoredDrift[]> {
    const { rows } = await owner.query<{ drift: StoredDrift[] }>(
      'select drift from integration_status where integration_id = $1',
      [id],
    );
    return rows[0]?.drift ?? [];
  }

  it('is kept once for each finding, with the first and the last time', async () => {
    const integrationId = ids.next(kinds.integrations);
    await add('drift-once', counts(integrationId));
    const found = { ...sunset, integrationId, date: '2022-12-31T23:59:59.000Z' };
    await store.addDrift([{ ...found, at: now - 60_000 }]);
    await store.addDrift([
      { ...found, at: now },
      { ...sunset, integrationId, at: now - 1_000 },
    ]);
    const kept = await driftOf(integrationId);
    expect(kept).toMatchObject([{ ...sunset, date: found.date }, sunset]);
    expect(kept.map((one) => [one.first_seen_at, one.last_seen_at].map(Date.parse))).toEqual([
      [now - 60_000, now],
      [now - 1_000, now - 1_000],
    ]);
  });

  it('is at most fifty findings of an integration, the newest, of the last thirty days', async () => {
    const integrationId = ids.next(kinds.integrations);
    await add('drift-many', counts(integrationId));
    const old = { ...sunset, integrationId, path: 'old', at: now - 31 * day };
    await store.addDrift([old]);
    expect(await driftOf(integrationId)).toEqual([]);
    const many = Array.from({ length: 120 }, (_, n) => ({ ...old, path: `f${n}`, at: now - n }));
    await Promise.all([many.slice(0, 70), many.slice(70)].map((some) => store.addDrift(some)));
    const kept = await driftOf(integrationId);
    expect(kept.map(({ path }) => path)).toEqual(
      Array.from({ length: maxDriftOfIntegration }, (_, n) => `f${n}`),
    );
  });

  it('of an integration that was never counted is dropped', async () => {
    await store.addDrift([{ ...sunset, integrationId: 'int_unknown', at: now }]);
    expect(await driftOf('int_unknown')).toEqual([]);
  });
});
