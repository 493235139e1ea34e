import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type pg from 'pg';
import type { Metrics } from '#observe';
import { connectDatabase, type DatabaseOptions, measurePool } from './data-source.js';
import { explainDatabaseError } from './database-unusable.js';
import { Store } from './store.js';

/** Opens the store of a service after checking that the database is usable, and measures its connections. @throws DatabaseUnusable */
export async function openStore(options: DatabaseOptions, metrics?: Metrics): Promise<Store> {
  let store: Store | undefined;
  try {
    const database = await connectDatabase(options);
    store = new Store(database);
    await store.checkTables();
    if (metrics) measurePool(metrics, (database.driver as PostgresDriver).master as pg.Pool);
    return store;
  } catch (error) {
    await store?.close();
    throw explainDatabaseError(options.url, error);
  }
}
