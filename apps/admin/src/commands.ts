import { joinDatabase } from '#embedded';
import { StartError } from '#observe';
import { migrateQueue } from '#queue';
import { migrate } from '#store';
import { type AdminConfiguration, adminSettings } from './configuration.js';
import { makeKey, rotateKey } from './keys.js';
import type { Options } from './options.js';
import { setOrganizationState } from './organizations.js';

export const usage = `npm run -s admin -- <command>

  token [--ttl 24h] [--organization <name or id>]
            creates an Organization token of an administrator; in an empty database also the root organization
  demo [--url http://127.0.0.1:8080] [--organization <name or id>] [--export | --typescript]
            prints a request for each domain, to be answered by the integrations of mocks that npm start makes; with --export
            their tokens as variables of a shell, such as EDR, and the address as ONEFOLD
  password --member <name or id> [--organization <name or id>]
            sets a new password, which the member must change at the next logon
  disable --organization <name or id>
            refuses the tokens of an organization with 402 until it is enabled
  enable --organization <name or id>
  jobs [--organization <name or id>] [--cancel <job> | --retry <job>]
            lists the jobs that wait or run; cancels one, or tries one again at once that waits after a failure or was cancelled
  migrate   updates the tables of the database to this version
  status [--domains <domain,domain>] [--json] [--watch]
            shows the whole installation: processes, domains, NATS, database, queue, failing integrations, providers that are down.
            --domains: these must be served; --watch: again and again, until Ctrl-C. Ends with 1 if something is missing, fails or
            could not be asked (docs/operations.md)
  doctor [--as owner|service|gateway|management|operations|connector] [--domains <domain,domain>] [--url https://…] [--json]
            checks settings, database, keys, clock, ports, NATS, the processes that run, egress and DNS, and says what is wrong, the
            remedy and the command to run next; ends with 1 if something is wrong. It changes nothing. --as: whose settings it is
            given; --domains: those that connectors have to serve, all by default; --url: also connects to this address as providers
            are connected to
  key [--kept-by "<service> <its key>"]
            creates the key-encryption key, unless it exists
  rotate-key [--kept-by "<service> <its key>"] [--step add|promote|rewrap]
            creates a new key-encryption key and wraps all data keys with it, while the processes are running; use --step if
            each process has its own copy of the key file
  domain-key --domains <domain,domain> --file <path> [--kept-by "<service> <its key>"]
            writes the keys of some domains, derived from the key-encryption key, for connectors of these domains alone
  bus-key --file <path> [--kept-by "<service> <its key>"]
            writes the key of the bus, for processes without the key-encryption key
  seal-for-domains
            seals what connectors have stored with the keys of their domains, after DOMAIN_KEYS was switched on
  nats-permissions [--domains <domain,domain>] [--processes <user,user>]
            prints the users of NATS and their permissions as configuration of nats-server: one for each service, one for a
            connector of each domain, and with --domains one for a connector of these domains, for each time that it is given.
            --processes: only these, such as gateway,management,connector-ticketing-identity, so that nats-server needs no other
            password (docs/bus.md)
  nats-config --processes <user,user> --folder <path> [--domains <domain,domain>] [--listen 127.0.0.1:4222] [--tls <folder>]
            writes a whole configuration of nats-server for these processes, the passwords that it needs, and the log-on of each process
            (docs/systemd.md). --tls: the folder with server.pem, server.key and ca.pem

A key is stored in its file, or wrapped by a key service (docs/keys.md). All commands accept --data <the folder of npm start>, or the variables DATABASE_URL and KEY_FILE of docs/configuration.md.
`;

/** The commands by name; each returns what it prints. Rooms that a single command needs are loaded by it, which halves the time of the others. */
export const commands: Readonly<Record<string, (options: Options) => Promise<string>>> = {
  token: async (options) => withDatabase(options, (await import('./access.js')).createToken),
  demo: async (options) => withDatabase(options, (await import('./access.js')).demonstrate),
  password: async (options) => withDatabase(options, (await import('./access.js')).setPassword),
  disable: (options) => withDatabase(options, setState('disabled')),
  enable: (options) => withDatabase(options, setState('enabled')),
  jobs: async (options) => withDatabase(options, (await import('./jobs.js')).manageJobs),
  migrate: (options) =>
    withDatabase(options, async (_settings, url) => {
      const ran = await migrate(url, migrateQueue);
      return ran.length === 0 ? 'The tables are up to date.' : `Ran ${ran.join(', ')}.`;
    }),
  status: async (options) => (await import('./status/show-status.js')).showStatus(options),
  doctor: async (options) => {
    const { diagnose, printChecks } = await import('./doctor.js');
    const checks = await diagnose(options);
    if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
    return printChecks(checks, options.json === true, options.as);
  },
  key: (options) => makeKey(settingsOf(options), options['kept-by']),
  'domain-key': async ({ data, domains, file, 'kept-by': keptBy }) =>
    (await import('./team-keys.js')).writeDomainKeys(adminSettings(data), domains, {
      file,
      keptBy,
    }),
  'bus-key': async ({ data, file, 'kept-by': keptBy }) =>
    (await import('./team-keys.js')).writeBusKey(adminSettings(data), { file, keptBy }),
  'seal-for-domains': async (options) =>
    withDatabase(options, (await import('./team-keys.js')).sealStored),
  'nats-permissions': async ({ domains, processes }) =>
    (await import('./nats-users.js')).printNatsPermissions(domains, processes),
  'nats-config': async (options) => (await import('./nats-config.js')).writeNatsConfig(options),
  'rotate-key': (options) =>
    withDatabase(options, (settings, url) =>
      rotateKey(settings, url, {
        ...(options.step === undefined ? {} : { step: options.step }),
        ...(options['kept-by'] === undefined ? {} : { keptBy: options['kept-by'] }),
      }),
    ),
};

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
