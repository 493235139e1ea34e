import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { createIds } from '#config';
import { createMigratedDatabase, createTestDatabase, type TestDatabase } from '#test/harness';
import {
  type Account,
  connectDatabase,
  type Integration,
  kinds,
  listQuery,
  maxCountedRows,
  migrate,
  organizationIds,
  type Reader,
  type Scope,
  Store,
  wholeOrganization,
} from './index.js';

const ids = createIds();
let testDatabase: TestDatabase;
let database: DataSource;
let store: Store;

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  database = await connectDatabase({ url: testDatabase.url });
  store = new Store(database);
});
afterAll(async () => {
  await store.close();
  await testDatabase.drop();
});

const now = new Date('2026-01-01T00:00:00Z');

async function organization(): Promise<string> {
  const id = ids.next(organizationIds);
  await store.write(wholeOrganization(id), (tx) =>
    tx.query(
      `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
       values ($1, $1, $1, 'root', 'tok', $2, $2)`,
      [id, now],
    ),
  );
  return id;
}

const account = (organizationId: string, name: string, more: Partial<Account> = {}): Account => ({
  id: ids.next(kinds.accounts),
  organizationId,
  name,
  fullname: name,
  environment: 'prod',
  labels: [],
  createdAt: now,
  updatedAt: now,
  ...more,
});
const integration = (scope: Scope, accountId: string, name: string): Integration => ({
  ...account(scope.organizationId, name),
  id: ids.next(kinds.integrations),
  accountId,
  category: 'ticketing',
  providerType: 'ticketing_mock_ticketing',
  providerFullname: 'Mock Ticketing',
  providerConfig: {},
  integrationPointId: null,
  refreshTokenId: ids.next(kinds.tokens),
  bridgeSelector: null,
  webhookConfig: null,
  mappings: null,
  additionalMappings: null,
  scheduledOperations: null,
  confirmDangerousActions: false,
  recording: null,
});
const insert = (scope: Scope, ...accounts: Account[]) =>
  store.write(scope, async (tx) => {
    for (const one of accounts) await tx.accounts.insert(one);
  });
const list = (parameters: Parameters<typeof listQuery>[0]) => (tx: Reader) =>
  tx.accounts.list(listQuery(parameters, kinds.accounts.fields));

describe('the store', () => {
  it('shows nothing to a statement that forgets its scope', async () => {
    const scope = wholeOrganization(await organization());
    await insert(scope, account(scope.organizationId, 'seen'));
    expect(await database.query('select * from accounts')).toEqual([]);
    expect(await database.query('select * from organizations')).toEqual([]);
    await expect(
      database.query(`insert into accounts select * from accounts`),
    ).resolves.toBeDefined();
    await expect(
      database.query(`insert into mappings values ('x', $1, 'n', 'n', now(), now(), '', 1)`, [
        scope.organizationId,
      ]),
    ).rejects.toThrow('row-level security');
  });

  it('leaves no scope behind on a connection', async () => {
    const scope = wholeOrganization(await organization());
    await insert(scope, account(scope.organizationId, 'seen'));
    await Promise.all(Array.from({ length: 30 }, () => store.read(scope, list({}))));
    const rows = await Promise.all(
      Array.from({ length: 30 }, () => database.query('select 1 from accounts')),
    );
    expect(rows.flat()).toEqual([]);
  });

  it('has PostgreSQL parse the statement that finds a record once for each connection', async () => {
    const scope = wholeOrganization(await organization());
    await insert(scope, account(scope.organizationId, 'seen'));
    const prepared = await store.read(scope, async (tx) => {
      for (let times = 0; times < 3; times += 1) await tx.accounts.get('seen');
      return await tx.query<{ calls: number }>(
        `select (generic_plans + custom_plans)::int as calls from pg_prepared_statements
         where statement like '% from accounts r where%'`,
      );
    });
    expect(prepared).toEqual([{ calls: expect.any(Number) }]);
    expect(prepared[0]?.calls).toBeGreaterThanOrEqual(3);
  });

  it('keeps organizations apart, by id and by name', async () => {
    const [one, two] = [
      wholeOrganization(await organization()),
      wholeOrganization(await organization()),
    ];
    const mine = account(one.organizationId, 'acme');
    await insert(one, mine);
    await insert(two, account(two.organizationId, 'acme'));
    await expect(store.read(two, (tx) => tx.accounts.get(mine.id))).rejects.toMatchObject({
      status: 404,
    });
    expect((await store.read(two, list({ total: true }))).total).toBe(1);
  });

  it('counts up to 10,000 rows, and says that there are more', async () => {
    const scope = wholeOrganization(await organization());
    const owner = new pg.Client({ connectionString: testDatabase.url });
    await owner.connect();
    await owner.query(
      `insert into accounts (id, organization_id, name, fullname, environment, labels, created_at, updated_at)
       select 'acc_' || n, $1, 'a' || n, 'A', 'prod', '{}', now(), now() from generate_series(1, $2::int) n`,
      [scope.organizationId, maxCountedRows],
    );
    const count = () => store.read(scope, list({ total: true, limit: 1 }));
    expect(await count()).toMatchObject({ total: maxCountedRows });
    expect(await count()).not.toHaveProperty('totalIsMinimum');
    await owner.query(
      `insert into accounts (id, organization_id, name, fullname, environment, labels, created_at, updated_at)
       values ('acc_more', $1, 'more', 'A', 'prod', '{}', now(), now())`,
      [scope.organizationId],
    );
    expect(await count()).toMatchObject({ total: maxCountedRows, totalIsMinimum: true });
    await owner.end();
    const one = list({ total: true, filter: ['name[eq]more'] });
    expect(await store.read(scope, one)).toMatchObject({ total: 1 });
  });

  it('finds parts of names, with the index of them and without, among those of the organization', async () => {
    const [one, two] = [
      wholeOrganization(await organization()),
      wholeOrganization(await organization()),
    ];
    for (const name of ['acme-north', 'ACME_south', 'other'])
      await insert(one, account(one.organizationId, name));
    await insert(two, account(two.organizationId, 'acme-foreign'));
    const owner = new pg.Client({ connectionString: testDatabase.url });
    await owner.connect();
    const find = async (filter: string) =>
      (await store.read(one, list({ filter: [filter], total: true }))).rows.map(({ name }) => name);
    const findAll = async () => [
      await find('name[like]*acme*'),
      await find('name[like]acme_*'),
      await find('name[like]*nowhere*'),
      await find('name[like]*th'),
      await find('name[not like]*acme*'),
    ];
    const found = [
      ['ACME_south', 'acme-north'],
      ['ACME_south'],
      [],
      ['ACME_south', 'acme-north'],
      ['other'],
    ];
    expect(await findAll()).toEqual(found);
    const scan = `select onefold_search('accounts', 'name', '%acme%', 5)`;
    expect((await owner.query(scan)).rows).toEqual([{ onefold_search: [] }]); // of no organization
    await owner.query('drop index accounts_search');
    expect((await owner.query(scan)).rows).toEqual([{ onefold_search: null }]);
    expect(await findAll()).toEqual(found);
    expect(await migrate(testDatabase.url)).toEqual([]); // creates it again
    expect((await owner.query(scan)).rows).toEqual([{ onefold_search: [] }]);
    const many = `select onefold_search('accounts', 'name', '%acme%', 1)`;
    await owner.query(`select set_config('onefold.organization_id', $1, false)`, [
      one.organizationId,
    ]);
    expect((await owner.query(many)).rows).toEqual([{ onefold_search: null }]);
    await owner.end();
  });

  it('reads by one statement under the same policies, and leaves no scope behind', async () => {
    const [one, two] = [
      wholeOrganization(await organization()),
      wholeOrganization(await organization()),
    ];
    await insert(one, account(one.organizationId, 'acme'));
    const statement = 'select name from accounts where name = $1 ->> 0';
    expect(await store.select(one, statement, ['acme'])).toEqual([{ name: 'acme' }]);
    expect(await store.select(two, statement, ['acme'])).toEqual([]);
    expect(await database.query('select * from accounts')).toEqual([]);
    await expect(store.select(two, 'select 1 from pg_authid', [])).rejects.toThrow(
      'permission denied',
    );
  });

  it('reads what is asked at the same moment each under its own organization, and blames who failed', async () => {
    const scopes = await Promise.all(
      Array.from({ length: 30 }, async () => wholeOrganization(await organization())),
    );
    for (const scope of scopes) await insert(scope, account(scope.organizationId, 'acme'));
    const statement = 'select organization_id from accounts';
    const reads = scopes.map((scope) => store.select(scope, statement, []));
    const failing = store.select(scopes[0] as Scope, 'select 1 / 0', []);
    await expect(failing).rejects.toThrow('division by zero');
    expect(await Promise.all(reads)).toEqual(
      scopes.map(({ organizationId }) => [{ organization_id: organizationId }]),
    );
    expect(await database.query('select * from accounts')).toEqual([]);
  });

  it('refuses a name that is taken, and finds a free one', async () => {
    const scope = wholeOrganization(await organization());
    await insert(scope, account(scope.organizationId, 'acme'));
    await expect(insert(scope, account(scope.organizationId, 'acme'))).rejects.toMatchObject({
      status: 409,
      message: 'the name "acme" is taken by another account',
    });
    expect(await store.write(scope, (tx) => tx.accounts.freeName('acme'))).toBe('acme-2');
    expect(await store.write(scope, (tx) => tx.accounts.freeName('free'))).toBe('free');
    const many = Array.from({ length: 60 }, (_, index) => `acme-${index + 2}`);
    await insert(scope, ...many.map((name) => account(scope.organizationId, name)));
    expect(await store.write(scope, (tx) => tx.accounts.freeName('acme'))).toBe('acme-62');
  });

  it('refuses a record whose account is deleted at the same moment', async () => {
    const scope = wholeOrganization(await organization());
    const owner = account(scope.organizationId, 'owner');
    await insert(scope, owner);
    const late = store.write(scope, async (tx) => {
      await tx.accounts.get(owner.id);
      await store.write(scope, (other) => other.accounts.delete(owner));
      await tx.integrations.insert(integration(scope, owner.id, 'late'));
    });
    await expect(late).rejects.toMatchObject({
      status: 409,
      message: 'a record that the integration "late" belongs to was deleted in the meantime',
    });
  });

  it('refuses a statement that refers to a deleted record', async () => {
    const scope = wholeOrganization(await organization());
    const late = store.write(scope, (tx) =>
      tx.query(
        `insert into mock_records (integration_id, organization_id, collection, id, record)
         values ('int_gone', $1, 'tickets', '1', '{}')`,
        [scope.organizationId],
      ),
    );
    await expect(late).rejects.toMatchObject({
      status: 409,
      message: 'a record that this one belongs to was deleted in the meantime',
    });
  });

  it('finds accounts by the labels they have now', async () => {
    const scope = wholeOrganization(await organization());
    const one = account(scope.organizationId, 'one', { labels: ['emea', 'emea', 'vip'] });
    const other = account(scope.organizationId, 'other');
    await insert(scope, one, other);
    const named = async (filter: string, reach: Scope = scope) => {
      const { rows } = await store.read(reach, list({ filter: [filter] }));
      return rows.map(({ name }) => name);
    };
    expect(await named('labels[eq]emea')).toEqual(['one']);
    expect(await named('labels[in]vip,gold')).toEqual(['one']);
    expect(await named('labels[neq]emea')).toEqual(['other']);
    await store.write(scope, async (tx) => {
      await tx.accounts.save({ ...one, labels: ['apac'] });
      await tx.accounts.save({ ...other, labels: ['emea'] });
    });
    expect(await named('labels[eq]emea')).toEqual(['other']);
    const limits = ['vip', 'apac'].map((label) => ({ ids: ['*'], labels: [label] }));
    expect(await named('name[like]*', { ...scope, accounts: limits })).toEqual(['one']);
    await store.write(scope, (tx) => tx.accounts.delete(one));
    expect(await named('labels[eq]apac')).toEqual([]);
  });

  it('limits a scope to labelled accounts, in lists, counts and single reads', async () => {
    const scope = wholeOrganization(await organization());
    const [emea, us] = [
      account(scope.organizationId, 'emea', { labels: ['emea', 'x'] }),
      account(scope.organizationId, 'us', { labels: ['us'], environment: 'test' }),
    ];
    await insert(scope, emea, us);
    const limited: Scope = { ...scope, accounts: [{ ids: ['*'], labels: ['emea'] }] };
    expect((await store.read(limited, list({ total: true }))).total).toBe(1);
    await expect(store.read(limited, (tx) => tx.accounts.get(us.id))).rejects.toMatchObject({
      status: 404,
    });
    const test: Scope = { ...scope, accounts: [{ ids: ['*'], environments: ['test'] }] };
    expect((await store.read(test, list({}))).rows.map(({ name }) => name)).toEqual(['us']);
    const none: Scope = { ...scope, accounts: [] };
    expect((await store.read(none, list({}))).rows).toEqual([]);
  });

  it('filters by every operator', async () => {
    const scope = wholeOrganization(await organization());
    await insert(
      scope,
      account(scope.organizationId, 'demo-1', { labels: ['a'] }),
      account(scope.organizationId, 'demo_2', {
        environment: 'test',
        createdAt: new Date('2026-02-01'),
      }),
      account(scope.organizationId, 'other'),
    );
    const names = async (...filter: string[]) =>
      (await store.read(scope, list({ filter }))).rows.map(({ name }) => name).join(' ');
    expect(await names('name[like]demo%')).toBe('demo-1 demo_2');
    expect(await names('name[like]demo_%')).toBe('demo_2');
    expect(await names('name[not like]demo')).toBe('other');
    expect(await names('name[in]other,demo-1')).toBe('demo-1 other');
    expect(await names('environment[ne]prod')).toBe('demo_2');
    expect(await names('labels[eq]a')).toBe('demo-1');
    expect(await names('labels[neq]a')).toBe('demo_2 other');
    expect(await names('created_at[gt]2026-01-15T00:00:00Z')).toBe('demo_2');
    expect(await names('environment[eq]prod', 'name[like]demo')).toBe('demo-1');
  });

  it('refuses a filter at its character', async () => {
    expect(() => listQuery({ filter: ['nam[eq]x'] }, kinds.accounts.fields)).toThrow(
      'query filter: "nam[eq]x" cannot be filtered by "nam" (character 1)',
    );
  });

  it('pages so that every row comes exactly once, in any order', async () => {
    const scope = wholeOrganization(await organization());
    const rows = Array.from({ length: 23 }, (_one, index) =>
      account(scope.organizationId, `n${String(index).padStart(2, '0')}`, {
        fullname: `f${index % 3}`,
        environment: index % 2 ? 'test' : 'prod',
      }),
    );
    await insert(scope, ...rows);
    const order = fc.uniqueArray(
      fc.constantFrom(
        'name',
        'name[desc]',
        'fullname',
        'fullname[desc]',
        'environment',
        'environment[desc]',
      ),
      { maxLength: 3, selector: (text) => text.replace('[desc]', '') },
    );
    await fc.assert(
      fc.asyncProperty(order, fc.integer({ min: 1, max: 9 }), async (orders, limit) => {
        const seen: string[] = [];
        for (let after: string | undefined; ;) {
          const page = await store.read(scope, list({ order: orders, limit, start_after: after }));
          seen.push(...page.rows.map(({ name }) => name));
          after = page.rows.at(-1)?.name;
          if (page.rows.length < limit) break;
        }
        expect([...seen].sort()).toEqual(rows.map(({ name }) => name));
        const whole = await store.read(scope, list({ order: orders, limit: 100 }));
        expect(seen).toEqual(whole.rows.map(({ name }) => name));
      }),
      { numRuns: 25 },
    );
  });

  it('pages by names that several integrations have, each of them exactly once', async () => {
    const scope = wholeOrganization(await organization());
    const accounts = Array.from({ length: 4 }, (_one, index) =>
      account(scope.organizationId, `n${index}`),
    );
    await insert(scope, ...accounts);
    const names = ['chat', 'desk', 'wiki'];
    await store.write(scope, async (tx) => {
      for (const { id: accountId } of accounts)
        for (const name of names) await tx.integrations.insert(integration(scope, accountId, name));
    });
    for (const order of ['name', 'name[desc]', 'provider_type', 'created_at[desc]'])
      for (const by of ['name', 'id'] as const)
        for (const limit of [1, 3, 5]) {
          if (by === 'name' && !order.startsWith('name')) continue;
          const seen: string[] = [];
          for (let after: string | undefined; ;) {
            const query = { order: [order], limit, start_after: after };
            const { rows } = await store.read(scope, (tx) =>
              tx.integrations.list(listQuery(query, kinds.integrations.fields)),
            );
            seen.push(...rows.map(({ id }) => id));
            after = rows.at(-1)?.[by];
            if (rows.length < limit) break;
          }
          expect([seen.length, new Set(seen).size]).toEqual([12, 12]);
        }
    const ambiguous = listQuery(
      { order: ['created_at'], start_after: 'desk' },
      kinds.integrations.fields,
    );
    await expect(store.read(scope, (tx) => tx.integrations.list(ambiguous))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('several') as unknown,
    });
  });

  it('migrates once, even when several processes start at the same moment', async () => {
    const fresh = await createTestDatabase();
    try {
      const ran = await Promise.all([migrate(fresh.url), migrate(fresh.url), migrate(fresh.url)]);
      expect(ran.flat()).toEqual([...new Set(ran.flat())]);
      expect(ran.flat()).toContain('Baseline1763700196000');
    } finally {
      await fresh.drop();
    }
  });
});
