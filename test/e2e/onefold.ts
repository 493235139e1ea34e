import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createKeyFile } from '#secrets';
import { printNatsPermissions } from '../../apps/admin/src/nats-users.js';
import {
  askForFacts,
  createMigratedDatabase,
  freePort,
  type NatsServer,
  runFolder,
  startNats,
  type TestDatabase,
} from '#test/harness';
import { addOrganization } from './add-organization.js';
import { Client } from './client.js';
import { type Running, startApp } from './processes.js';

type DistributedApp = 'management' | 'connector' | 'operations' | 'gateway';

/** A complete Onefold under test. */
export interface Onefold {
  /** Client with an Organization token of the first administrator. */
  api: Client;
  processes: Record<string, Running>;
  keyFile: string;
  /** Runs an administrative command on it. */
  admin: (...args: string[]) => Promise<string>;
  /** Environment of its processes, if there are several. */
  env?: Record<string, string>;
  /** Starts one more process of an app with the settings of the first, if there are several. */
  startAnother?: (app: DistributedApp) => Running;
  /** Its own bus, if it has one. */
  nats?: NatsServer;
  stop: () => Promise<void>;
}

/** Fakes and other servers of tests are on this machine. */
const loopback = { EGRESS_ALLOW: '127.0.0.1' };

/**
 * Returns a client of a new organization in the one process that all specs of the run share. For specs that need no settings of their
 * own and neither stop nor measure a process: it saves a start, which takes a core for three to eight seconds.
 */
export async function sharedOnefold(): Promise<Pick<Onefold, 'api'>> {
  const { url, databaseUrl = '', keyFile = '', log = '' } = await askForFacts('standalone');
  const name = `spec-${randomBytes(6).toString('hex')}`;
  const { access } = await addOrganization(databaseUrl, keyFile, name);
  const before = statSync(log).size;
  return { api: new Client(url, access, () => readFileSync(log).subarray(before).toString()) };
}

/** Starts one process with its own database and bus. @param more further settings */
export function startEmbedded(more: Record<string, string> = {}): Promise<Onefold> {
  return startStandalone(more);
}

/**
 * Starts one process with its own bus on a database of the test server, which saves the creation of a database server.
 */
export async function startOnTestDatabase(more: Record<string, string> = {}): Promise<Onefold> {
  const database = await createMigratedDatabase();
  try {
    return await startStandalone({ DATABASE_URL: database.url, ...more }, database.drop);
  } catch (error) {
    await database.drop();
    throw error;
  }
}

async function startStandalone(
  more: Record<string, string>,
  dropDatabase: () => Promise<void> = async () => undefined,
): Promise<Onefold> {
  const folder = newFolder();
  const standalone = startApp('standalone', ['--port', '0', '--data', join(folder, 'data')], {
    ...loopback,
    ...more,
  });
  try {
    const [, url = ''] = await standalone.says(/^Address: (\S+)$/m);
    const [, token = ''] = await standalone.says(/^Organization token: (\S+)$/m);
    return {
      api: new Client(url, token, standalone.output),
      processes: { standalone },
      keyFile: join(folder, 'data/keys/key-encryption.key'),
      admin: (...args) => admin(more, ...args, '--data', join(folder, 'data')),
      stop: async () => {
        await standalone.stop();
        await dropDatabase();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await standalone.stop('SIGKILL');
    throw error;
  }
}

/**
 * Starts gateway, management, connector and worker as separate processes, over NATS and a new database.
 * @param more further settings
 * @param worker false for tests of what needs no job and no delivery: the `operations` process is not started
 * @param asUsers each process is a NATS user with only the permissions that the administrative command prints, or what a function makes of them
 * @param database one with the tables of this version, in place of a new one
 */
export async function startDistributed(
  more: Record<string, string> = {},
  {
    asUsers = false,
    worker = true,
    database: given,
  }: {
    asUsers?: boolean | ((permissions: string) => string);
    worker?: boolean;
    database?: Pick<TestDatabase, 'url' | 'drop'>;
  } = {},
): Promise<Onefold> {
  const folder = newFolder();
  const [database, nats] = await Promise.all([
    given ?? createMigratedDatabase(),
    asUsers === false ? startNats() : startNatsWithUsers(asUsers === true ? undefined : asUsers),
  ]);
  const port = String(await freePort());
  const env = {
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    KEY_FILE: join(folder, 'key-encryption.key'),
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OBSERVE_PORT: '0',
    ...loopback,
    ...more,
  };
  const startAnother = (app: DistributedApp) =>
    startApp(app, [], { ...env, ...(asUsers ? natsUser(app) : {}) });
  const processes: Record<string, Running> = {};
  const stop = async () => {
    await Promise.all(Object.values(processes).map((one) => one.stop()));
    await nats.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await createKeyFile(env.KEY_FILE);
    const apps = (['management', 'connector', 'operations', 'gateway'] as const).filter(
      (app) => app !== 'operations' || worker,
    );
    for (const app of apps) processes[app] = startAnother(app);
    // Made here, because the administrative command would load the program once more.
    const { access: token } = await addOrganization(env.DATABASE_URL, env.KEY_FILE, 'root');
    const ready = Object.values(processes).map((one) => one.says(/"message":"ready"/));
    await Promise.all(ready);
    const [, url = ''] = (await processes['gateway']?.says(/"address":"([^"]+)"/)) ?? [];
    const log = () =>
      Object.values(processes)
        .map((one) => one.output())
        .join('\n');
    return {
      api: new Client(url, token, log),
      processes,
      env,
      startAnother,
      keyFile: env.KEY_FILE,
      admin: (...args) => admin(env, ...args),
      nats,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts NATS with only the users that the administrative command prints; a user's password is its name. */
export async function startNatsWithUsers(
  change = (permissions: string) => permissions,
): Promise<NatsServer> {
  const configuration = change(printNatsPermissions());
  const users = [...configuration.matchAll(/user: "([^"]+)"\s+password: \$(\w+)/g)];
  return startNats(
    configuration,
    Object.fromEntries(users.map(([, user = '', variable = '']) => [variable, passwordOf(user)])),
  );
}

/** Returns the settings of a process that logs on to it. */
export function natsUser(user: string): Record<string, string> {
  return { NATS_USER: user, NATS_PASSWORD: passwordOf(user) };
}

function passwordOf(user: string): string {
  return `password-of-${user}`;
}

/** Runs an administrative command to its end. @returns its output */
export async function admin(env: Record<string, string>, ...args: string[]): Promise<string> {
  const command = startApp('admin', args, env);
  const { code } = await command.exited;
  if (code !== 0)
    throw new Error(`admin ${args.join(' ')} ended with ${code}: ${command.output()}`);
  return command.output();
}

/** Creates a folder for a test in which another user can store a database. */
export function newFolder(): string {
  const folder = mkdtempSync(join(runFolder(), 'onefold-e2e-'));
  chmodSync(folder, 0o711);
  return folder;
}
