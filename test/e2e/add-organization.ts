import { createIds, systemClock } from '#config';
import { ManagementContext } from '#management/core';
import { type AdministratorToken, createOrganization } from '#management/tokens';
import { describeMock, describeProvider } from '#provider-document';
import { openCatalogue } from '#providers';
import { mockTicketing } from '#providers/mock-ticketing';
import { readKeyFile, Sealer } from '#secrets';
import { connectDatabase, Store } from '#store';
import { fillOrganization, type FirstTokens } from '../../apps/standalone/src/first-start.js';

/** Creates an organization with its administrator in the database of a service, as the administrative command does. */
export function addOrganization(
  databaseUrl: string,
  keyFile: string,
  name: string,
): Promise<AdministratorToken> {
  return withContext(databaseUrl, keyFile, (context) => create(context, name));
}

/** Creates an organization with what the first start puts into the first one. @param url that of the service */
export function addFilledOrganization(
  databaseUrl: string,
  keyFile: string,
  name: string,
  url: string,
): Promise<FirstTokens> {
  return withContext(databaseUrl, keyFile, async (context, store) => {
    const providers = openCatalogue({
      make: describeProvider,
      makeMocks: (compiled) => compiled.map(describeMock),
      others: [mockTicketing(store)],
    });
    return await fillOrganization({ context, providers }, await create(context, name), url);
  });
}

function create(context: ManagementContext, name: string): Promise<AdministratorToken> {
  return createOrganization(context, { name, fullname: name, administrator: 'admin' });
}

async function withContext<Result>(
  databaseUrl: string,
  keyFile: string,
  work: (context: ManagementContext, store: Store) => Promise<Result>,
): Promise<Result> {
  const store = new Store(await connectDatabase({ url: databaseUrl, poolSize: 1 }));
  try {
    const [key, ...older] = await readKeyFile(keyFile);
    const sealer = new Sealer(key, older);
    return await work(new ManagementContext(store, sealer, systemClock, createIds()), store);
  } finally {
    await store.close();
  }
}
