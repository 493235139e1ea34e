import { createIds, systemClock } from '#config';
import { joinDatabase } from '#embedded';
import { resetPassword } from '#management/members';
import { ManagementContext } from '#management/core';
import { createAdministratorToken, createOrganization } from '#management/tokens';
import { StartError } from '#observe';
import { connectDatabase, migrate, Store } from '#store';
import { type AdminConfiguration, adminSettings } from './configuration.js';
import { makeKey, openKeys, rotateKey } from './keys.js';
import { printNatsPermissions } from './nats-users.js';
import { type OrganizationName, organizations, setOrganizationState } from './organizations.js';

export const usage = `npm run -s admin -- <command>

  token [--ttl 24h] [--organization <name or id>]
            creates an Organization token of an administrator; in an empty database also the root organization
  password --member <name or id> [--organization <name or id>]
            sets a new password, which the member must change at the next logon
  disable --organization <name or id>
            refuses the tokens of an organization with 402 until it is enabled
  enable --organization <name or id>
  migrate   updates the tables of the database to this version
  key [--kept-by "<service> <its key>"]
            creates the key-encryption key, unless it exists
  rotate-key [--kept-by "<service> <its key>"] [--step add|promote|rewrap]
            creates a new key-encryption key and wraps all data keys with it, while the processes are running; use --step if
            each process has its own copy of the key file
  nats-permissions [--domains <domain,domain>]
            prints the users of NATS and their permissions as configuration of nats-server: one for each service, one for a
            connector of each domain, and with --domains one for a connector of these domains (docs/bus.md)

A key is stored in its file, or wrapped by a key service (docs/keys.md). All commands accept --data <the folder of npm start>, or the variables DATABASE_URL and KEY_FILE of docs/configuration.md.
`;

export interface Options {
  ttl?: string;
  organization?: string;
  member?: string;
  data?: string;
  /** The key service that wraps a new key, such as `aws-kms alias/onefold`. */
  'kept-by'?: string;
  step?: string;
  domains?: string;
}

/** The commands by name; each returns what it prints. */
export const commands: Readonly<Record<string, (options: Options) => Promise<string>>> = {
  token: (options) => withDatabase(options, token),
  password: (options) => withDatabase(options, password),
  disable: (options) => withDatabase(options, setState('disabled')),
  enable: (options) => withDatabase(options, setState('enabled')),
  migrate: (options) =>
    withDatabase(options, async (_settings, url) => {
      const ran = await migrate(url);
      return ran.length === 0 ? 'The tables are up to date.' : `Ran ${ran.join(', ')}.`;
    }),
  key: (options) => makeKey(settingsOf(options), options['kept-by']),
  'nats-permissions': async ({ domains }) => printNatsPermissions(domains),
  'rotate-key': (options) =>
    withDatabase(options, (settings, url) =>
      rotateKey(settings, url, {
        ...(options.step === undefined ? {} : { step: options.step }),
        ...(options['kept-by'] === undefined ? {} : { keptBy: options['kept-by'] }),
      }),
    ),
};

async function token(
  settings: AdminConfiguration,
  url: string,
  { ttl, organization }: Options,
): Promise<string> {
  await migrate(url);
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

async function password(
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

function setState(state: 'enabled' | 'disabled') {
  return async (
    _settings: AdminConfiguration,
    url: string,
    { organization }: Options,
  ): Promise<string> => {
    if (organization === undefined) throw new StartError('Say which: --organization <name or id>.');
    const { id, name } = await setOrganizationState(url, organization, state);
    return `The organization "${name}" (${id}) is ${state}.`;
  };
}

async function withDatabase(
  options: Options,
  work: (settings: AdminConfiguration, url: string, options: Options) => Promise<string>,
): Promise<string> {
  const settings = settingsOf(options);
  const database = await joinDatabase(settings);
  try {
    return await work(settings, database.url, options);
  } finally {
    await database.close();
  }
}

function settingsOf({ data }: Options): AdminConfiguration {
  return adminSettings(data);
}
