import pg from 'pg';
import { afterAll, beforeAll } from '@jest/globals';
import { openStore, type Store } from '#store';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';

/** The database of two replicas of a connector; the values are there once the specs run. */
export interface Replicas {
  stores: [Store, Store];
  database: TestDatabase;
  /** A connection as the owner of the tables. */
  owner: pg.Client;
}

/** Opens a database with the organization `org_1` for the specs of a file, with the stores of two replicas. */
export function useReplicas(): Replicas {
  const used = {} as Replicas;
  beforeAll(async () => {
    const database = await createMigratedDatabase();
    const owner = new pg.Client({ connectionString: database.url });
    const open = () => openStore({ url: database.url });
    Object.assign(used, { database, owner, stores: [await open(), await open()] });
    await owner.connect();
    await owner.query(
      `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
       values ('org_1', 'acme', 'Acme', 'root', 'tok_1', now(), now())`,
    );
  });
  afterAll(async () => {
    await used.owner.end();
    await Promise.all(used.stores.map((store) => store.close()));
    await used.database.drop();
  });
  return used;
}
