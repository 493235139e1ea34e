import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import {
  kinds,
  listQuery,
  maxCountedRows,
  migrate,
  type Scope,
  wholeOrganization,
} from './index.js';
import { account, integration, list, useTestStore } from './store.fixture.js';

const open = useTestStore();

describe('a list of records', () => {
  it('counts up to 10,000 rows, and says that there are more', async () => {
    const scope = wholeOrganization(await open.organization());
    const owner = new pg.Client({ connectionString: open.testDatabase.url });
    await owner.connect();
    await owner.query(
      `insert into accounts (id, organization_id, name, fullname, environment, labels, created_at, updated_at)
       select 'acc_' || n, $1, 'a' || n, 'A', 'prod', '{}', now(), now() from generate_series(1, $2::int) n`,
      [scope.organizationId, maxCountedRows],
    );
    const count = () => open.store.read(scope, list({ total: true, limit: 1 }));
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
    expect(await open.store.read(scope, one)).toMatchObject({ total: 1 });
  });

  it('finds parts of names, with the index of them and without, among those of the organization', async () => {
    const [one, two] = [
      wholeOrganization(await open.organization()),
      wholeOrganization(await open.organization()),
    ];
    for (const name of ['acme-north', 'ACME_south', 'other'])
      await open.insert(one, account(one.organizationId, name));
    await open.insert(two, account(two.organizationId, 'acme-foreign'));
    const owner = new pg.Client({ connectionString: open.testDatabase.url });
    await owner.connect();
    const find = async (filter: string) =>
      (await open.store.read(one, list({ filter: [filter], total: true }))).rows.map(
        ({ name }) => name,
      );
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
    expect(await migrate(open.testDatabase.url)).toEqual([]); // creates it again
    expect((await owner.query(scan)).rows).toEqual([{ onefold_search: [] }]);
    const many = `select onefold_search('accounts', 'name', '%acme%', 1)`;
    await owner.query(`select set_config('onefold.organization_id', $1, false)`, [
      one.organizationId,
    ]);
    expect((await owner.query(many)).rows).toEqual([{ onefold_search: null }]);
    await owner.end();
  });

  it('finds accounts by the labels they have now', async () => {
    const scope = wholeOrganization(await open.organization());
    const one = account(scope.organizationId, 'one', { labels: ['emea', 'emea', 'vip'] });
    const other = account(scope.organizationId, 'other');
    await open.insert(scope, one, other);
    const named = async (filter: string, reach: Scope = scope) => {
      const { rows } = await open.store.read(reach, list({ filter: [filter] }));
      return rows.map(({ name }) => name);
    };
    expect(await named('labels[eq]emea')).toEqual(['one']);
    expect(await named('labels[in]vip,gold')).toEqual(['one']);
    expect(await named('labels[neq]emea')).toEqual(['other']);
    await open.store.write(scope, async (tx) => {
      await tx.accounts.save({ ...one, labels: ['apac'] });
      await tx.accounts.save({ ...other, labels: ['emea'] });
    });
    expect(await named('labels[eq]emea')).toEqual(['other']);
    const limits = ['vip', 'apac'].map((label) => ({ ids: ['*'], labels: [label] }));
    expect(await named('name[like]*', { ...scope, accounts: limits })).toEqual(['one']);
    await open.store.write(scope, (tx) => tx.accounts.delete(one));
    expect(await named('labels[eq]apac')).toEqual([]);
  });

  it('filters by every operator', async () => {
    const scope = wholeOrganization(await open.organization());
    await open.insert(
      scope,
      account(scope.organizationId, 'demo-1', { labels: ['a'] }),
      account(scope.organizationId, 'demo_2', {
        environment: 'test',
        createdAt: new Date('2026-02-01'),
      }),
      account(scope.organizationId, 'other'),
    );
    const names = async (...filter: string[]) =>
      (await open.store.read(scope, list({ filter }))).rows.map(({ name }) => name).join(' ');
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
    const scope = wholeOrganization(await open.organization());
    const rows = Array.from({ length: 23 }, (_one, index) =>
      account(scope.organizationId, `n${String(index).padStart(2, '0')}`, {
        fullname: `f${index % 3}`,
        environment: index % 2 ? 'test' : 'prod',
      }),
    );
    await open.insert(scope, ...rows);
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
          const page = await open.store.read(
            scope,
            list({ order: orders, limit, start_after: after }),
          );
          seen.push(...page.rows.map(({ name }) => name));
          after = page.rows.at(-1)?.name;
          if (page.rows.length < limit) break;
        }
        expect([...seen].sort()).toEqual(rows.map(({ name }) => name));
        const whole = await open.store.read(scope, list({ order: orders, limit: 100 }));
        expect(seen).toEqual(whole.rows.map(({ name }) => name));
      }),
      { numRuns: 25 },
    );
  });

  it('pages by names that several integrations have, each of them exactly once', async () => {
    const scope = wholeOrganization(await open.organization());
    const accounts = Array.from({ length: 4 }, (_one, index) =>
      account(scope.organizationId, `n${index}`),
    );
    await open.insert(scope, ...accounts);
    const names = ['chat', 'desk', 'wiki'];
    await open.store.write(scope, async (tx) => {
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
            const { rows } = await open.store.read(scope, (tx) =>
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
    await expect(
      open.store.read(scope, (tx) => tx.integrations.list(ambiguous)),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('several') as unknown,
    });
  });
});
