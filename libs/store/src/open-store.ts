import { connectDatabase, type DatabaseOptions } from './data-source.js';
import { explainDatabaseError } from './database-unusable.js';
import { Store } from './store.js';

/** Opens the store of a service after checking that the database is usable. @throws DatabaseUnusable */
export async function openStore(options: DatabaseOptions): Promise<Store> {
  let store: Store | undefined;
  try {
    store = new Store(await connectDatabase(options));
    await store.checkTables();
    return store;
  } catch (error) {
    await store?.close();
    throw explainDatabaseError(options.url, error);
  }
}
