import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { connectDatabase, Store, wholeOrganization } from './index.js';

// These fail when TypeORM or pg change what docs/frameworks.md names.
let database: TestDatabase;
let connections: DataSource;
let store: Store;
const scope = wholeOrganization('org_1');

beforeAll(async () => {
  database = await createMigratedDatabase();
  connections = await connectDatabase({ url: database.url, poolSize: 1 });
  store = new Store(connections);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** A stream that writes what came while it was corked. */
interface Corked {
  /** @param chunks with their encodings; a socket leaves the buffers alone in the list */
  _writev(chunks: readonly Uint8Array[], done: () => void): void;
}

/** The socket of the only connection. */
async function socket() {
  const runner = connections.createQueryRunner();
  const client = (await runner.connect()) as pg.PoolClient;
  await runner.release();
  return (client as unknown as pg.Client).connection.stream;
}

describe('a transaction', () => {
  it('sends its begin together with the first statement of a read, in one write', async () => {
    const find = () => store.read(scope, (tx) => tx.accounts.find('acc_1'));
    await find(); // a statement that is not prepared yet is two messages
    const stream = (await socket()) as unknown as Corked;
    const writes = jest.spyOn(stream, '_writev');
    await find();
    const texts = writes.mock.calls.map(([chunks]) => Buffer.concat(chunks).toString('latin1'));
    writes.mockRestore();
    const [first] = texts;
    expect(first).toContain('begin');
    expect(first).toContain('acc_1');
  });

  it('is known to TypeORM, which otherwise refuses locks', async () => {
    await store.write(scope, async ({ manager }) => {
      expect(manager.queryRunner?.isTransactionActive).toBe(true);
      await expect(
        manager
          .createQueryBuilder('accounts', 'a')
          .select('a.id')
          .setLock('pessimistic_write')
          .getRawMany(),
      ).resolves.toEqual([]);
    });
  });
});
