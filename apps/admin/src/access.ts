import { createIds, systemClock } from '#config';
import { ManagementContext } from '#management/core';
import { resetPassword } from '#management/members';
import { createAdministratorToken, createOrganization } from '#management/tokens';
import { StartError } from '#observe';
import { migrateQueue } from '#queue';
import { connectDatabase, migrate, Store } from '#store';
import type { AdminConfiguration } from './configuration.js';
import { openKeys } from './keys.js';
import type { Options } from './options.js';
import { type OrganizationName, organizations } from './organizations.js';

/** Address of `npm start` when it is told no other. */
const defaultUrl = 'http://127.0.0.1:8080';

/** Creates an Organization token; in an empty database also the root organization. */
export async function createToken(
  settings: AdminConfiguration,
  url: string,
  { ttl, organization }: Options,
): Promise<string> {
  await migrate(url, migrateQueue);
  return await withContext(settings, url, async (context) => {
    const wanted = await findOrganization(url, organization);
    const made =
      wanted === undefined
        ? await createOrganization(context, {
            name: 'root',
            fullname: 'Root organization',
            administrator: 'administrator',
            ...(ttl === undefined ? {} : { ttl }),
          })
        : await createAdministratorToken(context, wanted.id, ttl);
    return `Organization token: ${made.access}`;
  });
}

/** Prints a request for each domain that has an integration of a mock, or exports their tokens. */
export async function demonstrate(
  settings: AdminConfiguration,
  url: string,
  { organization, url: api = defaultUrl, export: isExport, typescript: isProgram }: Options,
): Promise<string> {
  const demo = await import('./demo.js');
  const print = isExport
    ? demo.exportDemonstration
    : isProgram
      ? demo.writeDemonstration
      : demo.describeDemonstration;
  return await withContext(settings, url, async (context) => {
    const wanted = await findOrganization(url, organization);
    if (wanted === undefined) throw new StartError('There is no organization yet.');
    return await print(context, wanted.id, api.replace(/\/$/, ''));
  });
}

/** Sets a new password, which the member must change at the next logon. */
export async function setPassword(
  settings: AdminConfiguration,
  url: string,
  { organization, member }: Options,
): Promise<string> {
  if (member === undefined) throw new StartError('Say whose: --member <name or id>.');
  return await withContext(settings, url, async (context) => {
    const wanted = await findOrganization(url, organization);
    if (wanted === undefined) throw new StartError('There is no organization yet.');
    const made = await resetPassword(context, wanted.id, member);
    return `Password of ${made.name}, until ${made.until.toISOString()} and for the next logon: ${made.password}`;
  });
}

/** Finds an organization by name or id, by default the oldest; undefined in an empty database. @throws StartError */
async function findOrganization(
  url: string,
  nameOrId: string | undefined,
): Promise<OrganizationName | undefined> {
  const known = await organizations(url);
  const wanted = known.find(
    ({ id, name }) => nameOrId === undefined || [id, name].includes(nameOrId),
  );
  if (wanted === undefined && (known.length > 0 || nameOrId !== undefined))
    throw new StartError(
      `There is no organization "${nameOrId}". There are: ${known.map(({ name }) => name).join(', ') || 'none'}.`,
    );
  return wanted;
}

async function withContext<T>(
  settings: AdminConfiguration,
  url: string,
  work: (context: ManagementContext) => Promise<T>,
): Promise<T> {
  const store = new Store(await connectDatabase({ url, poolSize: 2 }));
  try {
    const sealer = await openKeys(settings, url);
    return await work(new ManagementContext(store, sealer, systemClock, createIds()));
  } finally {
    await store.close();
  }
}
