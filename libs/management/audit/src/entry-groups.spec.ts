import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { connectDatabase, DatabaseUnavailable, Store, wholeOrganization } from '#store';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import type { AuditEntry } from './audit-entry.js';
import { EntryGroups } from './entry-groups.js';

let database: TestDatabase;
let store: Store;
let groups: EntryGroups;
beforeAll(async () => {
  database = await createMigratedDatabase();
  store = new Store(await connectDatabase({ url: database.url }));
  for (const id of ['org_a', 'org_b'])
    await store.write(wholeOrganization(id), (tx) =>
      tx.query(
        `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
         values ($1, $1, $1, 'root', 'tok', now(), now())`,
        [id],
      ),
    );
  groups = new EntryGroups(store);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await store.close();
  await database.drop();
});

const entry = (requestId: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  request_id: requestId,
  remote_addr: '192.0.2.1',
  user_agent: 'spec',
  audit_type: 'API',
  method: 'GET',
  path: '/v1/accounts',
  code: '200',
  status: 'succeeded',
  ...more,
});

/** An entry that violates a constraint of the table. */
const invalid = (requestId: string) =>
  entry(requestId, { user_agent: undefined as unknown as string });

async function stored(organizationId: string, prefix: string): Promise<string[]> {
  const rows = await store.select<{ request_id: string }>(
    wholeOrganization(organizationId),
    `select request_id, created_at from audit_records where request_id like $1 ->> 0 order by created_at`,
    [`${prefix}-%`],
  );
  return rows.map((row) => row.request_id);
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

describe('EntryGroups', () => {
  it('stores entries that come meanwhile with one statement, in their order', async () => {
    const statements = jest.spyOn(store, 'writeStatement');
    const ids = numbered('together', 50);
    await Promise.all(ids.map((id) => groups.add('org_a', [entry(id)])));
    expect(await stored('org_a', 'together')).toEqual(ids);
    expect(statements.mock.calls.length).toBeLessThanOrEqual(2);
    await groups.add('org_a', [entry('later-0'), entry('later-1')]);
    expect(await stored('org_a', 'later')).toEqual(['later-0', 'later-1']);
  });

  it('resolves when the entry is stored, whichever group it was in', async () => {
    const found = await Promise.all(
      numbered('each', 30).map(async (id, index) => {
        for (let turn = 0; turn < index % 5; turn += 1) await stored('org_a', 'nothing');
        await groups.add('org_a', [entry(id)]);
        return (await stored('org_a', 'each')).includes(id);
      }),
    );
    expect(found).toEqual(found.map(() => true));
  });

  it('stores the entries of each organization under its own', async () => {
    await Promise.all(
      numbered('own', 10).map((id, index) =>
        groups.add(index % 2 === 0 ? 'org_a' : 'org_b', [entry(id)]),
      ),
    );
    expect(await stored('org_a', 'own')).toEqual(['own-0', 'own-2', 'own-4', 'own-6', 'own-8']);
    expect(await stored('org_b', 'own')).toEqual(['own-1', 'own-3', 'own-5', 'own-7', 'own-9']);
  });

  it('fails only the call whose entry the database refuses', async () => {
    const results = await Promise.allSettled(
      numbered('one', 10).map((id, index) =>
        groups.add('org_a', [index === 4 ? invalid(id) : entry(id)]),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(
      results.map((_, index) => (index === 4 ? 'rejected' : 'fulfilled')),
    );
    expect(await stored('org_a', 'one')).toEqual(
      numbered('one', 10).filter((_, index) => index !== 4),
    );
  });

  it('fails all calls of a group with the cause while the database refuses changes, and stores later ones', async () => {
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    try {
      await owner.query(`
        create function refuse() returns trigger language plpgsql
          as $$ begin raise exception 'no space' using errcode = '53100'; end $$;
        create trigger refuse before insert on audit_records for each row execute function refuse()`);
      const statements = jest.spyOn(store, 'writeStatement');
      const results = await Promise.allSettled(
        numbered('full', 10).map((id) => groups.add('org_a', [entry(id)])),
      );
      for (const result of results)
        expect((result as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseUnavailable);
      expect(statements.mock.calls.length).toBeLessThanOrEqual(2);
      await owner.query('drop function refuse cascade');
    } finally {
      await owner.end();
    }
    await groups.add('org_a', [entry('room-0')]);
    expect(await stored('org_a', 'room')).toEqual(['room-0']);
    expect(await stored('org_a', 'full')).toEqual([]);
  });

  it('fails all calls if there is no connection', async () => {
    const unconnected = new EntryGroups({
      writeStatement: () => Promise.reject(new Error('no connection')),
    });
    const results = await Promise.allSettled(
      numbered('none', 3).map((id) => unconnected.add('org_a', [entry(id)])),
    );
    expect(results).toEqual(
      results.map(() => expect.objectContaining({ reason: new Error('no connection') })),
    );
  });

  it('limits the length of a statement', async () => {
    const lengths: number[] = [];
    const original = store.writeStatement.bind(store);
    jest.spyOn(store, 'writeStatement').mockImplementation((scope, statementOf) =>
      original(scope, () => {
        const statement = statementOf();
        lengths.push(statement.length);
        return statement;
      }),
    );
    const body = { text: 'x'.repeat(100_000) };
    await Promise.all(
      numbered('large', 10).map((id) => groups.add('org_a', [entry(id, { body })])),
    );
    expect(await stored('org_a', 'large')).toEqual(numbered('large', 10));
    expect(lengths).toHaveLength(5);
    for (const length of lengths) expect(length).toBeLessThan(256 * 1024 + 1_000);
  });
});
