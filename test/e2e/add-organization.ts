import { createIds, systemClock } from '#config';
import { ManagementContext } from '#management/core';
import { type AdministratorToken, createOrganization } from '#management/tokens';
import { readKeyFile, Sealer } from '#secrets';
import { connectDatabase, Store } from '#store';

/** Creates an organization with its administrator in the database of a service, as the administrative command does. */
export async function addOrganization(
  databaseUrl: string,
  keyFile: string,
  name: string,
): Promise<AdministratorToken> {
  const store = new Store(await connectDatabase({ url: databaseUrl, poolSize: 1 }));
  try {
    const [key, ...older] = await readKeyFile(keyFile);
    const context = new ManagementContext(store, new Sealer(key, older), systemClock, createIds());
    return await createOrganization(context, { name, fullname: name, administrator: 'admin' });
  } finally {
    await store.close();
  }
}
