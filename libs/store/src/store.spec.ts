import { describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '#test/harness';
import { migrate, type Scope, wholeOrganization } from './index.js';
import { account, integration, list, useTestStore } from './store.fixture.js';

const open = useTestStore();

describe('the store', () => {
  it('shows nothing to a statement that forgets its scope', async () => {
    const scope = wholeOrganization(await open.organization());
    await open.insert(scope, account(scope.organizationId, 'seen'));
    expect(await open.database.query('select * from accounts')).toEqual([]);
    expect(await open.database.query('select * from organizations')).toEqual([]);
    await expect(
      open.database.query(`insert into accounts select * from accounts`),
    ).resolves.toBeDefined();
    await expect(
      open.database.query(`insert into mappings values ('x', $1, 'n', 'n', now(), now(), '', 1)`, [
        scope.organizationId,
      ]),
    ).rejects.toThrow('row-level security');
  });

  it('leaves no scope behind on a connection', async () => {
    const scope = wholeOrganization(await open.organization());
    await open.insert(scope, account(scope.organizationId, 'seen'));
    await Promise.all(Array.from({ length: 30 }, () => open.store.read(scope, list({}))));
    const rows = await Promise.all(
      Array.from({ length: 30 }, () => open.database.query('select 1 from accounts')),
    );
    expect(rows.flat()).toEqual([]);
  });

  it('has PostgreSQL parse the statement that finds a record once for each connection', async () => {
    const scope = wholeOrganization(await open.organization());
    await open.insert(scope, account(scope.organizationId, 'seen'));
    const prepared = await open.store.read(scope, async (tx) => {
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
      wholeOrganization(await open.organization()),
      wholeOrganization(await open.organization()),
    ];
    const mine = account(one.organizationId, 'acme');
    await open.insert(one, mine);
    await open.insert(two, account(two.organizationId, 'acme'));
    await expect(open.store.read(two, (tx) => tx.accounts.get(mine.id))).rejects.toMatchObject({
      status: 404,
    });
    expect((await open.store.read(two, list({ total: true }))).total).toBe(1);
  });

  it('reads by one statement under the same policies, and leaves no scope behind', async () => {
    const [one, two] = [
      wholeOrganization(await open.organization()),
      wholeOrganization(await open.organization()),
    ];
    await open.insert(one, account(one.organizationId, 'acme'));
    const statement = 'select name from accounts where name = $1 ->> 0';
    expect(await open.store.select(one, statement, ['acme'])).toEqual([{ name: 'acme' }]);
    expect(await open.store.select(two, statement, ['acme'])).toEqual([]);
    expect(await open.database.query('select * from accounts')).toEqual([]);
    await expect(open.store.select(two, 'select 1 from pg_authid', [])).rejects.toThrow(
      'permission denied',
    );
  });

  it('reads what is asked at the same moment each under its own organization, and blames who failed', async () => {
    const scopes = await Promise.all(
      Array.from({ length: 30 }, async () => wholeOrganization(await open.organization())),
    );
    for (const scope of scopes) await open.insert(scope, account(scope.organizationId, 'acme'));
    const statement = 'select organization_id from accounts';
    const reads = scopes.map((scope) => open.store.select(scope, statement, []));
    const failing = open.store.select(scopes[0] as Scope, 'select 1 / 0', []);
    await expect(failing).rejects.toThrow('division by zero');
    expect(await Promise.all(reads)).toEqual(
      scopes.map(({ organizationId }) => [{ organization_id: organizationId }]),
    );
    expect(await open.database.query('select * from accounts')).toEqual([]);
  });

  it('refuses a name that is taken, and finds a free one', async () => {
    const scope = wholeOrganization(await open.organization());
    await open.insert(scope, account(scope.organizationId, 'acme'));
    await expect(open.insert(scope, account(scope.organizationId, 'acme'))).rejects.toMatchObject({
      status: 409,
      message: 'the name "acme" is taken by another account',
    });
    expect(await open.store.write(scope, (tx) => tx.accounts.freeName('acme'))).toBe('acme-2');
    expect(await open.store.write(scope, (tx) => tx.accounts.freeName('free'))).toBe('free');
    const many = Array.from({ length: 60 }, (_, index) => `acme-${index + 2}`);
    await open.insert(scope, ...many.map((name) => account(scope.organizationId, name)));
    expect(await open.store.write(scope, (tx) => tx.accounts.freeName('acme'))).toBe('acme-62');
  });

  it('refuses a record whose account is deleted at the same moment', async () => {
    const scope = wholeOrganization(await open.organization());
    const owner = account(scope.organizationId, 'owner');
    await open.insert(scope, owner);
    const late = open.store.write(scope, async (tx) => {
      await tx.accounts.get(owner.id);
      await open.store.write(scope, (other) => other.accounts.delete(owner));
      await tx.integrations.insert(integration(scope, owner.id, 'late'));
    });
    await expect(late).rejects.toMatchObject({
      status: 409,
      message: 'a record that the integration "late" belongs to was deleted in the meantime',
    });
  });

  it('refuses a statement that refers to a deleted record', async () => {
    const scope = wholeOrganization(await open.organization());
    const late = open.store.write(scope, (tx) =>
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

  it('limits a scope to labelled accounts, in lists, counts and single reads', async () => {
    const scope = wholeOrganization(await open.organization());
    const [emea, us] = [
      account(scope.organizationId, 'emea', { labels: ['emea', 'x'] }),
      account(scope.organizationId, 'us', { labels: ['us'], environment: 'test' }),
    ];
    await open.insert(scope, emea, us);
    const limited: Scope = { ...scope, accounts: [{ ids: ['*'], labels: ['emea'] }] };
    expect((await open.store.read(limited, list({ total: true }))).total).toBe(1);
    await expect(open.store.read(limited, (tx) => tx.accounts.get(us.id))).rejects.toMatchObject({
      status: 404,
    });
    const test: Scope = { ...scope, accounts: [{ ids: ['*'], environments: ['test'] }] };
    expect((await open.store.read(test, list({}))).rows.map(({ name }) => name)).toEqual(['us']);
    const none: Scope = { ...scope, accounts: [] };
    expect((await open.store.read(none, list({}))).rows).toEqual([]);
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
