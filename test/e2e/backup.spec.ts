import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKeyFile } from '#secrets';
import { Client } from './client.js';
import { admin, newFolder } from './onefold.js';
import { type PostgresOfTools, postgresTools, startPostgresOfTools } from './postgres-of-tools.js';
import { ended, type Running, startApp } from './processes.js';

/** Nothing waits as long: a process that ends before it is ready fails its test at once. */
jest.setTimeout(240_000);

const title =
  postgresTools === undefined
    ? 'a backup (skipped: no PostgreSQL with pg_dump is installed; apt-get install postgresql)'
    : 'a backup';

(postgresTools === undefined ? describe.skip : describe)(title, () => {
  const folder = newFolder();
  const keyFile = join(folder, 'key-encryption.key');
  const dump = join(folder, 'onefold.dump');
  let postgres: PostgresOfTools;
  let organizationToken: string;
  let integrationToken: string;
  let accountId: string;
  let credentialId: string;

  beforeAll(async () => {
    postgres = await startPostgresOfTools(postgresTools ?? '');
    await postgres.query('create database onefold owner onefold_owner');
    await createKeyFile(keyFile);
    const running = await start('onefold', keyFile);
    const said = (label: string) =>
      new RegExp(`^${label}: (\\S+)$`, 'm').exec(running.output())?.[1] ?? '';
    organizationToken = said('Organization token');
    integrationToken = said('Integration token');
    const [, url = ''] = await running.says(/^Address: (\S+)$/m);
    const api = new Client(url, organizationToken, running.output);
    ({ id: accountId } = (await api.call('accounts_create', { body: {} })).result.account);
    ({ id: credentialId } = (
      await api.call('credentials_create', {
        path: { ownerId: accountId },
        body: { name: 'sealed', config: { type: 'basic', username: 'u', secret: 'a secret' } },
      })
    ).result);
    // The service runs meanwhile: pg_dump reads one state of all tables.
    postgres.run('pg_dump', '--format=custom', '--file', dump, ownerUrl('onefold'));
    await running.stop();
    await postgres.query('create database restored owner onefold_owner');
    const restore = ['--no-owner', '--exit-on-error', '--dbname', ownerUrl('restored'), dump];
    postgres.run('pg_restore', ...restore);
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  });

  const ownerUrl = (database: string) => postgres.url('onefold_owner', database);

  function launch(database: string, key: string): Running {
    const settings = { DATABASE_URL: ownerUrl(database), KEY_FILE: key };
    return startApp('standalone', ['--port', '0', '--data', join(folder, 'data')], settings);
  }

  async function start(database: string, key: string): Promise<Running> {
    const running = launch(database, key);
    try {
      await running.says(/^Ctrl-C stops it\.$/m);
    } catch (error) {
      await running.stop('SIGKILL');
      throw error;
    }
    return running;
  }

  /** Returns why a start on the restored database is refused. One that works fails the test and leaves no process. */
  async function refusal(key: string): Promise<string> {
    const running = launch('restored', key);
    const started = running.says(/^Ctrl-C stops it\.$/m).then(
      () => true,
      () => false, // it has ended
    );
    if (await started) await running.stop('SIGKILL');
    const { code, text } = await ended(running);
    expect({ code, text }).toEqual({ code: 1, text: expect.any(String) });
    return text;
  }

  it('works with a copy of the key file: its tokens are known, its integrations answer, its credentials open', async () => {
    const copy = join(folder, 'copy');
    mkdirSync(copy);
    copyFileSync(keyFile, join(copy, 'key'));
    const running = await start('restored', join(copy, 'key'));
    try {
      const [, url = ''] = await running.says(/^Address: (\S+)$/m);
      const api = new Client(url, organizationToken, running.output);
      const integrations = await api.call('integrations_list');
      expect(integrations.result.length).toBeGreaterThan(10);
      const tickets = await api.as(integrationToken).call('ticketing_query_tickets');
      expect(tickets.result.length).toBeGreaterThan(0);
      // To change a part of the credential, the whole is opened and sealed again.
      const patched = await api.call('credentials_patch', {
        path: { ownerId: accountId, credentialId },
        body: [{ op: 'replace', path: '/config/username', value: 'v' }],
      });
      expect(patched.result.id).toBe(credentialId);
    } finally {
      await running.stop();
    }
  });

  it('has the rights of the services, as the doctor says', async () => {
    const env = { DATABASE_URL: postgres.url('onefold_service', 'restored'), KEY_FILE: keyFile };
    const { text } = await ended(startApp('admin', ['doctor', '--as', 'service'], env));
    expect(text).toMatch(/^ok {5}role: onefold_service is a plain role/m);
    expect(text).toMatch(/^ok {5}keys: .* has the keys of all sealed data/m);
    const owner = { DATABASE_URL: ownerUrl('restored'), KEY_FILE: keyFile };
    expect(await admin(owner, 'migrate')).toContain('The tables are up to date.');
  });

  it('is refused with a new key file, with the reason', async () => {
    const other = join(folder, 'other.key');
    await createKeyFile(other);
    const text = await refusal(other);
    expect(text).toMatch(
      /The database contains data encrypted with the key-encryption key [0-9a-f]{8}, but this process has [0-9a-f]{8}\. Add the missing key to KEY_FILE or OLD_KEY_FILES\./,
    );
  });

  it('is refused without a key file, and none is made', async () => {
    expect(await refusal(join(folder, 'none.key'))).toContain(
      'none.key: the file with the key-encryption key is missing',
    );
  });

  it('is made by the commands of docs/operations.md', () => {
    const page = readFileSync(
      fileURLToPath(new URL('../../../docs/operations.md', import.meta.url)),
      'utf8',
    );
    expect(page).toContain('pg_dump --format=custom --file onefold.dump "$OWNER_URL"');
    expect(page).toContain(
      'pg_restore --no-owner --exit-on-error --dbname "$NEW_OWNER_URL" onefold.dump',
    );
  });
});
