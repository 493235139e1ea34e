import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '#test/harness';
import { startAwsKms, startVault } from '../../libs/secrets/src/key-service-servers.fixture.js';
import { admin, newFolder } from './onefold.js';
import { startApp } from './processes.js';

const folder = newFolder();
const keyFile = join(folder, 'key');
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  DATABASE_URL: database.url,
  NATS_URL: 'nats://127.0.0.1:1',
  KEY_FILE: keyFile,
  OBSERVE_PORT: '0',
  PORT: '0',
});

async function refusal(
  app: 'gateway' | 'management' | 'connector' | 'standalone',
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const process = startApp(app, [], { ...environment(), ...env });
  const { code } = await process.exited;
  expect(code).toBe(1);
  return process.output();
}

describe('a process', () => {
  it.each([
    ['missing', undefined, 0o600, `${keyFile}: the file with the key-encryption key is missing.`],
    ['short', 'c2hvcnQ=', 0o600, 'has 5 bytes, but must be 32 bytes in base64.'],
    [
      'readable by everybody',
      randomBytes(32).toString('base64'),
      0o604,
      'everyone on this machine can read',
    ],
  ])('does not start with a key that is %s', async (_how, key, mode, says) => {
    rmSync(keyFile, { force: true });
    if (key !== undefined) {
      writeFileSync(keyFile, key);
      chmodSync(keyFile, mode);
    }
    const apps = ['gateway', 'management', 'connector'] as const;
    for (const text of await Promise.all(apps.map((app) => refusal(app))))
      expect(text).toContain(says);
  });
});

describe('the standalone process', () => {
  it('makes no new key for data that was sealed under a lost one, and takes no other', async () => {
    const data = join(folder, 'data');
    const absent = { NATS_URL: undefined, KEY_FILE: undefined };
    const own = { DATA_FOLDER: data, ...absent, PORT: '0', OBSERVE_PORT: '0' };
    const first = startApp('standalone', [], { ...own, DATABASE_URL: database.url });
    const [, url = ''] = await first.says(/^Address: (\S+)$/m);
    const [, token = ''] = await first.says(/^Organization token: (\S+)$/m);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ config: { type: 'token', secret: 'sealed' } });
    const made = await fetch(`${url}/v1/credentials/demo`, { method: 'POST', headers, body });
    expect(made.status).toBe(200);
    await first.stop();

    const key = join(data, 'keys/key-encryption.key');
    const right = readFileSync(key);
    rmSync(key);
    expect(await refusal('standalone', own)).toContain(
      `${key}: the file with the key-encryption key is missing`,
    );
    writeFileSync(key, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    expect(await refusal('standalone', own)).toMatch(
      /The database contains data encrypted with the key-encryption key [0-9a-f]{8}, but this process has/,
    );
    writeFileSync(key, right);
    const again = startApp('standalone', [], { ...own, DATABASE_URL: database.url });
    await again.says(/^Address: (\S+)$/m);
    await again.stop();
  });
});

describe('a key that a service wraps', () => {
  it('is made, used, and moved to another service by a rotation', async () => {
    const [kms, vault] = [await startAwsKms(), await startVault('hvs.process')];
    const tokenFile = join(folder, 'vault-token');
    writeFileSync(tokenFile, 'hvs.process');
    const other = await createTestDatabase();
    const env = {
      DATABASE_URL: other.url,
      KEY_FILE: join(folder, 'wrapped'),
      VAULT_TOKEN_FILE: tokenFile,
      AWS_ACCESS_KEY_ID: 'AKID',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL_KMS: kms.url,
      PORT: '0',
      OBSERVE_PORT: '0',
    };
    try {
      await admin(env, 'key', '--kept-by', 'aws-kms alias/onefold');
      expect(readFileSync(env.KEY_FILE, 'utf8')).toMatch(/^aws-kms arn:aws:kms:\S+ \S+\n$/);
      const one = startApp('standalone', [], env);
      await one.says(/^Address: (\S+)$/m);
      for (const step of ['add', 'promote', 'rewrap']) {
        const keptBy = ['--kept-by', `vault ${vault.url}/transit/onefold`];
        await admin(env, 'rotate-key', '--step', step, ...(step === 'add' ? keptBy : []));
      }
      await one.stop();
      const [current = ''] = readFileSync(env.KEY_FILE, 'utf8').split('\n');
      expect(current).toMatch(/^vault http\S+\/transit\/onefold vault:v1:/);
      writeFileSync(env.KEY_FILE, `${current}\n`);
      await kms.stop();
      const two = startApp('standalone', [], env);
      await two.says(/^Address: (\S+)$/m);
      await two.stop();
      await vault.stop();
      expect(await refusal('standalone', env)).toContain('could not unwrap the key-encryption key');
    } finally {
      await Promise.all([kms.stop(), vault.stop()]);
      await other.drop();
    }
  });

  it('is asked of a service there is', async () => {
    const env = { ...environment(), KEY_FILE: join(folder, 'nowhere') };
    await expect(admin(env, 'key', '--kept-by', 'gcp-kms key')).rejects.toThrow(
      'The services are aws-kms, vault, azure-key-vault.',
    );
    await expect(admin(env, 'rotate-key', '--step', 'jump')).rejects.toThrow('no step "jump"');
  });
});
