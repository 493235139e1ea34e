import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Column, DataSource } from 'typeorm';
import { createIds, isId } from '#config';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import {
  connectDatabase,
  defineKind,
  kinds,
  listQuery,
  openStore,
  Store,
  tenantFields,
  type Transaction,
  wholeOrganization,
} from './index.js';
import { forgetKind } from './define-kind.js';
import { protectTenantTables, tenantColumns } from './tenant-tables.js';
import { TenantRecord } from './tenant-record.js';

// All that a room says of a kind of its own: class, kind, and the migration that makes the table.
class Note extends TenantRecord {
  @Column('text')
  accountId!: string;

  @Column('text')
  text!: string;
}

const notes = defineKind({
  entity: Note,
  table: 'notes',
  resource: 'note',
  prefix: 'nte',
  account: 'accountId',
  fields: { ...tenantFields, text: { type: 'string' } },
});

async function makeTable(url: string): Promise<void> {
  const owner = await new DataSource({ type: 'postgres', url }).initialize();
  const runner = owner.createQueryRunner();
  await runner.query(`create table notes (${tenantColumns},
    account_id text not null references accounts on delete cascade, text text not null, unique (organization_id, name))`);
  await protectTenantTables(runner, ['notes']);
  await runner.release();
  await owner.destroy();
}

const ids = createIds();
const now = new Date('2026-01-01T00:00:00Z');
const mine = wholeOrganization('org_mine');
const other = wholeOrganization('org_other');
let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createMigratedDatabase();
  await makeTable(database.url);
  store = new Store(await connectDatabase({ url: database.url }));
  for (const { organizationId } of [mine, other])
    await store.write(wholeOrganization(organizationId), async (tx) => {
      await tx.query(
        `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
         values ($1, $1, $1, 'root', 'tok', now(), now())`,
        [organizationId],
      );
      for (const name of ['first', 'second'])
        await tx.accounts.insert({
          ...record(tx, `${organizationId}-${name}`, kinds.accounts),
          environment: 'prod',
          labels: [],
        });
    });
});
afterAll(async () => {
  await store.close();
  await database.drop();
  forgetKind(notes);
  const others = await createMigratedDatabase(); // what a spec after this one opens in the same process
  await (await openStore({ url: others.url })).close();
  await others.drop();
});

function record(tx: Transaction, name: string, kind: { prefix: string }): TenantRecord {
  const { organizationId } = tx.scope;
  const id = ids.next(kind);
  return { id, organizationId, name, fullname: name, createdAt: now, updatedAt: now };
}

async function write(tx: Transaction, account: string, name: string, text: string): Promise<Note> {
  const { id: accountId } = await tx.accounts.get(account);
  return await tx.records(notes).insert({ ...record(tx, name, notes), accountId, text });
}

describe('a kind that a room declares', () => {
  it('is found, listed, changed and deleted like those that are built in', async () => {
    const made = await store.write(mine, async (tx) => {
      await write(tx, 'org_mine-first', 'alpha', 'one');
      return await write(tx, 'org_mine-second', 'beta', 'two');
    });
    const listed = (filter?: string[]) =>
      store.read(mine, async (tx) => {
        const query = listQuery({ filter, order: ['name[desc]'] }, notes.fields);
        return (await tx.records(notes).list(query)).rows.map(({ name }) => name);
      });
    expect(await listed()).toEqual(['beta', 'alpha']);
    expect(await listed(['text[eq]two'])).toEqual(['beta']);
    await store.write(mine, async (tx) => {
      const note = await tx.records(notes).getLocked('beta');
      await tx.records(notes).save({ ...note, text: 'three' });
    });
    const read = await store.read(mine, (tx) => tx.records(notes).get(made.id));
    expect(read).toEqual({ ...made, text: 'three' });
    await store.write(mine, async (tx) => tx.records(notes).delete(read));
    expect(await listed()).toEqual(['alpha']);
  });

  it('is out of sight of other organizations, and of callers who are limited to other accounts', async () => {
    const made = await store.write(mine, (tx) => write(tx, 'org_mine-first', 'secret', 'one'));
    const missing = { status: 404, message: `there is no note "${made.id}"` };
    await expect(store.read(other, (tx) => tx.records(notes).get(made.id))).rejects.toMatchObject(
      missing,
    );
    const second = await store.read(mine, (tx) => tx.accounts.get('org_mine-second'));
    const limited = { ...mine, accounts: [{ ids: [second.id] }] };
    await expect(store.read(limited, (tx) => tx.records(notes).get(made.id))).rejects.toMatchObject(
      missing,
    );
  });

  it('has ids that are recognized, and names that are its own', async () => {
    expect(isId(ids.next(notes))).toBe(true);
    const twice = store.write(mine, async (tx) => {
      await write(tx, 'org_mine-first', 'twice', '');
      await write(tx, 'org_mine-first', 'twice', '');
    });
    await expect(twice).rejects.toMatchObject({
      status: 409,
      message: 'the name "twice" is taken by another note',
    });
  });

  it('cannot take the prefix of another kind', () => {
    expect(() => defineKind({ ...notes, prefix: 'acc' })).toThrow('"acc" cannot be a prefix');
  });
});
