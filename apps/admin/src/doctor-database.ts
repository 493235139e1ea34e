import { existsSync } from 'node:fs';
import pg from 'pg';
import { servedDomains } from '#contract';
import { type KeyInUse, openKeyring, Sealer } from '#secrets';
import { explainDatabaseError, keysInUseQuery, pendingMigrations } from '#store';
import { type Check, look, CheckFailure } from './check.js';
import type { DoctorConfiguration } from './doctor-configuration.js';
import { keyPath } from './keys.js';

/** Milliseconds; expiries of tokens and schedules are compared across processes. */
const toleratedSkew = 5_000;

const migrateCommand = 'npm run -s admin -- migrate';
const migrateFirst = `Run ${migrateCommand} as the owner.`;

/**
 * Checks the database, and the keys and the clock by it. Its transactions cannot write.
 * @param url undefined if there is none
 * @param domains those of a connector, which needs no other keys; undefined for a process that needs them all
 */
export async function checkDatabase(
  settings: DoctorConfiguration,
  url: string | undefined,
  { as, domains }: { as: 'owner' | 'service'; domains?: readonly string[] },
  clock: () => number,
): Promise<Check[]> {
  const lookAtKeys = (client?: pg.Client) =>
    look('keys', () => checkKeys(settings, domains, client));
  if (url === undefined)
    return [
      {
        check: 'database',
        ok: false,
        says: `DATABASE_URL is missing, and no embedded database runs in ${settings.dataFolder}. Set it as the process does, or start npm start and name its folder by --data.`,
      },
      await lookAtKeys(),
    ];
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    options: '-c default_transaction_read_only=on',
  });
  client.on('error', () => undefined); // the statement that is under way fails with it
  try {
    const database = await look('database', () => connect(client, url));
    if (!database.ok) return [database, await lookAtKeys()];
    return [
      database,
      await look('role', () => checkRole(client, as)),
      await look('migrations', () => checkMigrations(client)),
      await lookAtKeys(client),
      await look('clock', () => checkClock(client, clock)),
    ];
  } finally {
    await client.end();
  }
}

async function connect(client: pg.Client, url: string): Promise<string> {
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return `PostgreSQL ${rows[0]?.server_version ?? ''} answers`;
  } catch (error) {
    throw explainDatabaseError(url, error);
  }
}

interface Role {
  name: string;
  superuser: boolean;
  bypasses: boolean;
  owns: boolean;
  creates: boolean;
  /** Null where the role of the services does not exist. */
  member: boolean | null;
}

async function checkRole(client: pg.Client, as: 'owner' | 'service'): Promise<string> {
  const { rows } = await client.query<Role>(`
    select rolname as name, rolsuper as superuser, rolbypassrls as bypasses,
      exists (select from pg_tables where schemaname = current_schema()
        and pg_has_role(current_user, tableowner, 'member')) as owns,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as creates,
      case when to_regrole('onefold_application') is not null
        then pg_has_role(current_user, to_regrole('onefold_application'), 'member') end as member
    from pg_roles where rolname = current_user`);
  const [role] = rows;
  if (role === undefined) throw new CheckFailure('the role of the connection is not in pg_roles');
  if (role.member === null)
    throw new CheckFailure(`the role onefold_application does not exist. ${migrateFirst}`);
  if (!role.member)
    throw new CheckFailure(
      `${role.name} may not act for the services. Run as the owner: grant onefold_application to "${role.name}"`,
    );
  return as === 'service' ? checkPlain(role) : checkOwner(role);
}

function checkPlain({ name, superuser, bypasses, owns, creates }: Role): string {
  const rights = [
    ...(superuser ? ['is a superuser'] : []),
    ...(bypasses ? ['bypasses row security'] : []),
    ...(owns ? ['acts as the owner of tables'] : []),
    ...(creates ? ['may create tables'] : []),
  ];
  if (rights.length > 0)
    throw new CheckFailure(
      `${name} ${rights.join(', ')}. Give services the plain role that deploy/postgres-roles.sh makes.`,
    );
  return `${name} is a plain role of services`;
}

function checkOwner({ name, owns, creates }: Role): string {
  if (!owns || !creates)
    throw new CheckFailure(
      `${name} ${owns ? 'may not create tables' : 'does not own the tables'}. Use the DATABASE_URL of the owner, or --as service if this is a service's.`,
    );
  return `${name} owns the tables`;
}

async function checkMigrations(client: pg.Client): Promise<string> {
  const { rows: visible } = await client.query<{ there: boolean; readable: boolean | null }>(
    `select to_regclass('migrations') is not null as there,
       has_table_privilege(to_regclass('migrations'), 'select') as readable`,
  );
  if (visible[0]?.there !== true)
    throw new CheckFailure(`there are no tables. ${migrateFirst}`, migrateCommand);
  if (visible[0].readable !== true) return 'not looked at, only the owner can read it';
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  const pending = await pendingMigrations(rows.map(({ name }) => name));
  if (pending.length > 0)
    throw new CheckFailure(
      `${pending.join(', ')} did not run yet. ${migrateFirst}`,
      migrateCommand,
    );
  return 'the tables are those of this version';
}

async function checkKeys(
  settings: DoctorConfiguration,
  domains: readonly string[] | undefined,
  client?: pg.Client,
): Promise<string> {
  const keyFile = keyPath(settings);
  if (!existsSync(keyFile))
    throw new CheckFailure(
      `there is no key file ${keyFile}. Correct KEY_FILE, restore the file from its backup or, for an empty database, run npm run -s admin -- key.`,
    );
  const sealer = new Sealer(await openKeyring({ ...settings, keyFile }, undefined, servedDomains));
  if (!sealer.isComplete && domains === undefined)
    throw new CheckFailure(
      `${keyFile} is the file of a team, with keys of single domains, which is enough for connectors alone. Give this process the file of the installation or, if it is a connector, use --as connector with its DOMAINS.`,
    );
  if (client === undefined) return `${keyFile} is readable; what the database holds is not known`;
  await client.query('begin read only');
  try {
    await client.query('set local role onefold_application');
    const { rows } = await client.query<KeyInUse>(keysInUseQuery);
    sealer.checkKnown(rows, domains);
  } finally {
    await client.query('rollback');
  }
  return sealer.isComplete
    ? `${keyFile} has the keys of all sealed data, and seals with ${sealer.currentId}`
    : `${keyFile} has the keys of ${domains?.join(', ')} and of nothing else, as that of a team should`;
}

async function checkClock(client: pg.Client, clock: () => number): Promise<string> {
  const before = clock();
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  const after = clock();
  const database = rows[0]?.now.getTime() ?? Number.NaN;
  // The database read its clock somewhere between the two.
  const skew = Math.max(before - database, database - after, 0);
  if (!(skew <= toleratedSkew))
    throw new CheckFailure(
      `the clock is ${Math.round(skew / 1000)} s from that of the database. Synchronize both machines by NTP.`,
      'timedatectl set-ntp true',
    );
  return 'it agrees with that of the database';
}
