import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createKeyFile, keyOf, Keyring, Sealer, writeKeyFile } from '#secrets';
import { connectDatabase, dataKey, Store, wholeOrganization } from '#store';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { type Check, diagnose, printChecks, type Surroundings } from './doctor.js';

const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
const plain = `doctor_${randomBytes(4).toString('hex')}`;
let database: TestDatabase;
let owner: pg.Client;
let plainUrl: string;
const settings = { keyFile: join(folder, 'one.key') };
/** A resolver that works, on a machine without one. */
const resolve: Surroundings['resolve'] = (host, done) => {
  if (host.endsWith('.invalid')) done(Object.assign(new Error(host), { code: 'ENOTFOUND' }), []);
  else done(null, [{ address: '127.0.0.1', family: 4 }]);
};

beforeAll(async () => {
  database = await createMigratedDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`create role ${plain} login noinherit password 'plain'`);
  const url = new URL(database.url);
  url.username = plain;
  url.password = 'plain';
  plainUrl = url.href;
  await createKeyFile(settings.keyFile);
});
afterAll(async () => {
  await owner.query(`drop role ${plain}`);
  await owner.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** The faults, by check. */
function wrong(checks: readonly Check[]): Record<string, string> {
  return Object.fromEntries(checks.filter(({ ok }) => !ok).map(({ check, says }) => [check, says]));
}
const look = (as: string, url: string, clock = Date.now) =>
  diagnose(
    { as },
    {
      variables: { DATABASE_URL: url, KEY_FILE: settings.keyFile, OBSERVE_PORT: '0' },
      clock,
      resolve,
    },
  );
const asOwner = async () => wrong(await look('owner', database.url));
/** NATS has a spec of its own. */
const asService = async (url: string) => {
  const { nats, ...others } = wrong(await look('service', url));
  expect(nats).toContain('NATS_URL is missing');
  return others;
};

it('finds nothing wrong with the owner, and much with it as a service', async () => {
  expect(await asOwner()).toEqual({});
  expect((await asService(database.url))['role']).toMatch(
    /acts as the owner of tables.*plain role/,
  );
  await expect(look('guest', database.url)).rejects.toThrow('owner, service');
});

it('tells whether a role is that of services', async () => {
  expect((await asService(plainUrl))['role']).toContain('grant onefold_application');
  await owner.query(`grant onefold_application to ${plain}`);
  expect(await asService(plainUrl)).toEqual({});
  const checks = await look('owner', plainUrl);
  expect(wrong(checks)['role']).toContain('does not own the tables');
  expect(printChecks(checks, false)).toContain(`WRONG  role: ${plain} does not own`);
  expect(JSON.parse(printChecks(checks, true))).toEqual(checks);
  await owner.query(`alter role ${plain} bypassrls`);
  expect((await asService(plainUrl))['role']).toContain('bypasses row security');
});

it('names a database that is not reached, and migrations that did not run', async () => {
  const nowhere = new URL(database.url);
  nowhere.pathname = '/nowhere';
  expect((await asService(nowhere.href))['database']).toContain('no database of this name');
  const last = 'select name from migrations order by id desc limit 1';
  const { rows } = await owner.query<{ name: string }>(last);
  await owner.query(`update migrations set name = 'Other' where name = $1`, [rows[0]?.name]);
  expect((await asOwner())['migrations']).toMatch(`${rows[0]?.name} did not run yet.`);
  await owner.query(`update migrations set name = $1 where name = 'Other'`, [rows[0]?.name]);
});

it('says which version PostgreSQL has', async () => {
  const checks = await look('owner', database.url);
  expect(checks).toContainEqual({
    check: 'database',
    ok: true,
    says: expect.stringMatching(/^PostgreSQL \d+\.\d+/),
  });
});

it('says without DATABASE_URL what is missing, and makes no embedded database', async () => {
  const dataFolder = join(folder, 'none');
  const checks = await diagnose({ data: dataFolder }, { variables: {}, resolve });
  expect(wrong(checks)).toEqual({
    database: expect.stringContaining('DATABASE_URL is missing'),
    keys: expect.stringContaining(`there is no key file ${dataFolder}`),
  });
  expect(existsSync(dataFolder)).toBe(false);
});

it('changes nothing in the database', async () => {
  const before = await content();
  expect(before).toMatch(/migrations/);
  await asOwner();
  await asService(plainUrl);
  expect(await content()).toBe(before);
});

/** Every table with a digest of its rows, and every role of this spec. */
async function content(): Promise<string> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const lines = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ digest: string | null }>(
      `select md5(string_agg(t::text, ',' order by t::text)) as digest from ${name} t`,
    );
    lines.push(`${name} ${rows[0]?.digest ?? 'empty'}`);
  }
  return lines.join('\n');
}

it('names a clock that is wrong', async () => {
  const checks = await look('owner', database.url, () => Date.now() + 60_000);
  expect(wrong(checks)).toEqual({ clock: expect.stringMatching(/the clock is \d+ s .* NTP/) });
});

it('names a key file that is missing, damaged, or lacks the key of the data', async () => {
  const { keyFile } = settings;
  settings.keyFile = join(folder, 'missing.key');
  expect((await asOwner())['keys']).toContain('there is no key file');
  writeFileSync(settings.keyFile, 'no key\n', { mode: 0o600 });
  expect((await asOwner())['keys']).toContain('missing.key');
  settings.keyFile = keyFile;
  const lost = new Sealer(keyOf(randomBytes(32)));
  await owner.query(
    `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
     values ('org_1', 'one', 'one', 'root', 't', now(), now())`,
  );
  const store = new Store(await connectDatabase({ url: database.url }));
  await store.write(wholeOrganization('org_1'), async (tx) => {
    await dataKey(tx, lost, 'acc_1', new Date());
  });
  await store.close();
  expect((await asOwner())['keys']).toMatch(`key ${lost.currentId}, but this process has`);
});

it('takes the key file of a team for the connectors of its domains, and for nobody else', async () => {
  const all = new Keyring([keyOf(randomBytes(32))]);
  const keyFile = join(folder, 'team.key');
  await writeKeyFile(keyFile, all.forDomain('edr').all);
  const keysOf = async (as: string, domains: string) => {
    const variables = { DATABASE_URL: database.url, KEY_FILE: keyFile, DOMAINS: domains };
    const checks = await diagnose({ as }, { variables, resolve });
    return checks.find(({ check }) => check === 'keys');
  };
  expect(await keysOf('connector', 'edr')).toEqual({
    check: 'keys',
    ok: true,
    says: expect.stringContaining('has the keys of edr and of nothing else'),
  });
  expect(await keysOf('connector', 'edr,siem')).toMatchObject({ ok: false });
  expect(await keysOf('management', 'edr')).toEqual({
    check: 'keys',
    ok: false,
    says: expect.stringMatching(/is the file of a team.*--as connector/),
  });
});
