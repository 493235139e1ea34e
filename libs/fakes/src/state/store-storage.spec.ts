import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { connectDatabase, Store, wholeOrganization } from '#store';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { errorsOfTests, TestFake } from '../test-fake.fixture.js';
import { StoreStorage } from './store-storage.js';

const source = `
fake: acme
${errorsOfTests}
collections:
  devices: { from: this.world.devices, id: this.key }
routes:
  GET /devices: { list: devices, body: 'root = this.rows.map_each(row -> row.key)' }
  GET /devices/{id}: { with: { row: { from: devices, id: this.path.id, missing: not_found } }, body: root = this.with.row }
  POST /devices: { create: devices, row: 'root = this.body.assign({"key": "n" + this.seq.string()})', body: root = this.result.row }
  PATCH /devices/{id}: { change: devices, id: this.path.id, row: 'root = root.assign(this.body)', later: { after: 5, row: root.later = true } }
  DELETE /devices/{id}: { delete: devices, id: this.path.id, status: 204 }
  POST /atomic:
    each: this.body
    atomic: true
    create: devices
    row: 'root = {"key": this.item}'
    body: root = {}
`;

const organizationId = 'org_fakes';
let testDatabase: TestDatabase;
let store: Store;
let owner: pg.Client;

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  store = new Store(await connectDatabase({ url: testDatabase.url, poolSize: 8 }));
  owner = new pg.Client({ connectionString: testDatabase.url });
  await owner.connect();
  for (const id of [organizationId, 'org_other'])
    await owner.query(
      `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
       values ($1, $1, $1, 'root', 'tok', now(), now())`,
      [id],
    );
  await owner.query(
    `insert into accounts (id, organization_id, name, fullname, created_at, updated_at, environment, labels)
     values ('acc_1', $1, 'one', 'one', now(), now(), 'prod', '{}')`,
    [organizationId],
  );
});
afterAll(async () => {
  await owner.end();
  await store.close();
  await testDatabase.drop();
});

async function integration(id: string): Promise<void> {
  await owner.query(
    `insert into integrations (id, organization_id, name, fullname, created_at, updated_at, account_id, category,
       provider_type, provider_fullname, provider_config, refresh_token_id)
     values ($2, $1, $2, 'one', now(), now(), 'acc_1', 'edr', 'x', 'x', '{}', 'tok')`,
    [organizationId, id],
  );
}

/** The fake of an integration as one process has it. */
const replica = (id: string, maxEntries?: number) =>
  new TestFake(source, {
    key: id,
    storage: new StoreStorage(store, wholeOrganization(organizationId), id, maxEntries),
  });

const count = async (table: string, id: string) => {
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::int as count from ${table} where integration_id = $1`,
    [id],
  );
  return rows[0]?.count;
};

describe('changes of a fake in the database', () => {
  it('are seen by other replicas at once, and still there after a restart', async () => {
    await integration('int_1');
    const [one, other] = [replica('int_1'), replica('int_1')];
    expect((await other.call('GET /devices')).body).toHaveLength(25);
    const made = await one.call('POST /devices', { body: { size: 7 } });
    expect(made.body.key).toBe('n26');
    await one.call('PATCH /devices/d2', { body: { state: 'odd' } });
    await other.call('DELETE /devices/d1');
    for (const fake of [one, other, replica('int_1')]) {
      const keys = (await fake.call('GET /devices')).body as string[];
      expect(keys).toHaveLength(25);
      expect([keys[0], keys.at(-1)]).toEqual(['d2', 'n26']);
      expect((await fake.call('GET /devices/d2')).body).toMatchObject({ state: 'odd' });
      fake.advance(5);
      expect((await fake.call('GET /devices/d2')).body).toMatchObject({ later: true });
    }
  });

  it('keep whole numbers of any size', async () => {
    await integration('int_numbers');
    const body = '{"size":9007199254740993}';
    const headers = { 'content-type': 'application/json' };
    await replica('int_numbers').call('POST /devices', { body, headers });
    const answer = await replica('int_numbers').call('GET /devices/n26');
    expect(answer.text).toBe('{"key":"n26","size":9007199254740993}');
  });

  it('lose none of many at the same time, from two replicas', async () => {
    await integration('int_2');
    const replicas = [replica('int_2'), replica('int_2')];
    const made = await Promise.all(
      replicas.flatMap((fake) =>
        Array.from({ length: 20 }, (_, index) => fake.call('POST /devices', { body: { index } })),
      ),
    );
    const keys = made.map(({ body }) => (body as { key: string }).key);
    expect(new Set(keys).size).toBe(40);
    for (const fake of replicas) expect((await fake.call('GET /devices')).body).toHaveLength(65);
  });

  it('are taken back when a request is refused', async () => {
    await integration('int_3');
    const fake = replica('int_3');
    expect((await fake.call('POST /atomic', { body: ['a', 'b', 'd1'] })).status).toBe(409);
    expect((await fake.call('GET /devices/a')).status).toBe(404);
    expect(await count('fake_entries', 'int_3')).toBe(0);
  });

  it('belong to one integration, and go with it', async () => {
    await Promise.all([integration('int_4'), integration('int_5')]);
    await replica('int_4').call('DELETE /devices/d1');
    expect((await replica('int_5').call('GET /devices')).body).toHaveLength(25);
    expect(await count('fake_states', 'int_4')).toBe(1);
    await owner.query(`delete from integrations where id = 'int_4'`);
    expect([await count('fake_states', 'int_4'), await count('fake_entries', 'int_4')]).toEqual([
      0, 0,
    ]);
  });

  it('of another organization cannot be read', async () => {
    await integration('int_6');
    await replica('int_6').call('DELETE /devices/d1');
    const storage = new StoreStorage(store, wholeOrganization('org_other'), 'int_6');
    const foreign = new TestFake(source, { key: 'int_6', storage });
    expect((await foreign.call('GET /devices')).body).toHaveLength(25);
  });

  it('are limited in number', async () => {
    await integration('int_7');
    const fake = replica('int_7', 3);
    await fake.call('POST /atomic', { body: ['a', 'b', 'c'] });
    await expect(fake.call('POST /devices', { body: {} })).rejects.toThrow(
      'the mock keeps at most 3 changed records',
    );
  });
});
