// An installation of processes of two checkouts on one database and one bus, with the roles and the NATS users of an operator.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { firstMatch } from '../first-match.mjs';
import { root } from '../install.mjs';

const { startProgram } = await import(`${root}/dist/test/e2e/processes.js`);
const { natsUser, startNatsWithUsers } = await import(`${root}/dist/test/e2e/onefold.js`);
const { startEmbeddedPostgres } = await import(`${root}/dist/libs/embedded/src/index.js`);

/** As deploy/postgres-roles.sh makes them. */
const roles = [
  'create role onefold_application nologin',
  "create role onefold_owner login password 'owner'",
  'grant onefold_application to onefold_owner with admin option',
  "create role onefold_service login password 'service' in role onefold_application",
  'alter database onefold owner to onefold_owner',
];

/** @param checkouts folders of the built versions, `previous` and `current` */
export async function openProcesses(checkouts) {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-upgrade-'));
  chmodSync(folder, 0o711); // The database runs as another user.
  const database = await startEmbeddedPostgres({ folder: join(folder, 'database') });
  const nats = await startNatsWithUsers();
  const close = async () => {
    await nats.stop();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const urlOf = (user, password) => {
    const url = new URL(database.url);
    Object.assign(url, { username: user, password, pathname: '/onefold' });
    return url.href;
  };
  const common = { KEY_FILE: join(folder, 'key-encryption.key') };
  const owner = { ...common, DATABASE_URL: urlOf('onefold_owner', 'owner') };
  const service = {
    ...common,
    DATABASE_URL: urlOf('onefold_service', 'service'),
    NATS_URL: nats.url,
    HOST: '127.0.0.1',
    PORT: '0',
    OBSERVE_PORT: '0',
  };

  function launch(version, app, args, env) {
    const programs = ['dist/run', 'dist'].map((place) =>
      join(checkouts[version], place, 'apps', app, 'src/main.js'),
    );
    return startProgram(
      process.execPath,
      [programs.find((file) => existsSync(file)), ...args],
      env,
    );
  }

  async function admin(version, ...args) {
    const command = launch(version, 'admin', args, owner);
    const { code } = await command.exited;
    if (code !== 0) throw new Error(`admin ${args[0]} ended with ${code}: ${command.output()}`);
    return command.output();
  }

  try {
    await query(database.url, roles);
    await admin('previous', 'key');
    await admin('previous', 'migrate');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    token: async () => firstMatch(/ofo_\S+/, await admin('previous', 'token')),
    migrate: () => admin('current', 'migrate'),
    start: async (app, version) => {
      const one = launch(version, app, [], { ...service, ...natsUser(app) });
      await one.says(/"message":"ready"/);
      const url = app === 'gateway' ? (await one.says(/"address":"([^"]+)"/))[1] : undefined;
      return { url, stop: () => one.stop() };
    },
    close,
  };
}

async function query(url, statements) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
