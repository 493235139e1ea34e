import { DefaultAzureCredential } from '@azure/identity';
import type { CryptographyClientOptions } from '@azure/keyvault-keys';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsKms } from './aws-kms.js';
import { AzureKeyVault } from './azure-key-vault.js';
import { addKey, createKeyFile, type KeyService, openKeyService, readKeyFile } from './index.js';
import {
  type KeyServer,
  startAwsKms,
  startAzureKeyVault,
  startVault,
} from './key-service-servers.fixture.js';
import { VaultTransit } from './vault-transit.js';

const folder = mkdtempSync(join(tmpdir(), 'onefold-key-services-'));
const vaultTokenFile = join(folder, 'vault-token');
const before = { ...process.env };
let kms: Awaited<ReturnType<typeof startAwsKms>>;
let vault: Awaited<ReturnType<typeof startVault>>;
let azure: Awaited<ReturnType<typeof startAzureKeyVault>>;

beforeAll(async () => {
  writeFileSync(vaultTokenFile, 'hvs.spec\n');
  kms = await startAwsKms();
  vault = await startVault('hvs.spec');
  azure = await startAzureKeyVault();
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'AKID',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL_KMS: kms.url,
    IDENTITY_ENDPOINT: `${azure.url}/msi/token`,
    IDENTITY_HEADER: 'header',
  });
});
afterAll(async () => {
  process.env = before;
  await Promise.all([kms, vault, azure].map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** The real Key Vault uses TLS and its own host name; everything else is as in a deployment. */
const local = {
  allowInsecureConnection: true,
  disableChallengeResourceVerification: true,
  retryOptions: { maxRetries: 0 },
} as CryptographyClientOptions;

interface Case {
  name: string;
  open: (reference?: string) => KeyService;
  server: () => KeyServer;
  reference: () => string;
  unknown: () => string;
  refusal: [number, object, RegExp];
  says: RegExp;
}

const cases: Case[] = [
  {
    name: 'aws-kms',
    open: (reference = 'alias/onefold') => new AwsKms(reference, { maxAttempts: 1 }),
    server: () => kms,
    reference: () => kms.arn,
    unknown: () => 'alias/nobody',
    refusal: [400, { __type: 'AccessDeniedException', message: 'is not authorized' }, /Decrypt/],
    says: /is not authorized/,
  },
  {
    name: 'vault',
    open: (reference = `${vault.url}/transit/onefold`) =>
      new VaultTransit(reference, vaultTokenFile),
    server: () => vault,
    reference: () => `${vault.url}/transit/onefold`,
    unknown: () => `${vault.url}/transit/nobody`,
    refusal: [503, { errors: ['Vault is sealed'] }, /decrypt/],
    says: /503: Vault is sealed/,
  },
  {
    name: 'azure-key-vault',
    open: (reference = `${azure.url}/keys/onefold`) =>
      new AzureKeyVault(reference, new DefaultAzureCredential(), local),
    server: () => azure,
    reference: () => `${azure.url}/keys/onefold/v1`,
    unknown: () => `${azure.url}/keys/nobody/v1`,
    refusal: [
      403,
      { error: { code: 'Forbidden', message: 'does not have keys unwrap permission' } },
      /unwrapkey/,
    ],
    says: /unwrap permission/,
  },
];

describe.each(cases)(
  'a key kept by $name',
  ({ open, server, reference, unknown, refusal, says }) => {
    const key = randomBytes(32);

    it('is unwrapped with the reference that wrapping returned', async () => {
      const wrapped = await open().wrap(key);
      expect(wrapped.reference).toBe(reference());
      expect(wrapped.wrapped).not.toContain(key.toString('base64'));
      expect(await open(wrapped.reference).unwrap(wrapped.wrapped)).toEqual(key);
      expect(server().requests.length).toBeGreaterThan(1);
    });

    it('is not unwrapped with an unknown key, or after a modification', async () => {
      const { wrapped } = await open().wrap(key);
      await expect(open(unknown()).unwrap(wrapped)).rejects.toThrow();
      const box = wrapped.split(':').pop() ?? '';
      const changed = wrapped.replace(box, `${box[0] === 'A' ? 'B' : 'A'}${box.slice(1)}`);
      await expect(open(reference()).unwrap(changed)).rejects.toThrow();
    });

    it('reports why the service refuses', async () => {
      const { wrapped } = await open().wrap(key);
      const service = open(reference());
      server().failNext(...refusal);
      await expect(service.unwrap(wrapped)).rejects.toThrow(says);
    });
  },
);

describe('keys of services that rotate their own keys', () => {
  it('are unwrapped after the service switched to a new version', async () => {
    const key = randomBytes(32);
    for (const { name, open } of cases.filter(({ name }) => name !== 'aws-kms')) {
      const old = await open().wrap(key);
      (name === 'vault' ? vault : azure).rotate();
      expect(await open(old.reference).unwrap(old.wrapped)).toEqual(key);
      const renewed = await open().wrap(key);
      expect(await open(renewed.reference).unwrap(renewed.wrapped)).toEqual(key);
    }
    expect((await cases[2]?.open().wrap(key))?.reference).toMatch(/\/v2$/);
  });
});

describe('a key file with wrapped keys', () => {
  const settings = { vaultTokenFile };
  const keptBy = () => ({ service: 'vault', reference: `${vault.url}/transit/onefold` });

  it('may be readable by everyone, unless it also contains plain keys', async () => {
    const path = join(folder, 'wrapped');
    await createKeyFile(path, keptBy(), settings);
    const [first] = await readKeyFile(path, settings);
    expect(readFileSync(path, 'utf8')).not.toContain(first.bytes.toString('base64'));
    await addKey(path, { service: 'aws-kms', reference: 'alias/onefold' }, settings);
    expect(readFileSync(path, 'utf8').split('\n')[1]).toContain(`aws-kms ${kms.arn} `);
    chmodSync(path, 0o644);
    const keys = await readKeyFile(path, settings);
    expect(keys[0]).toEqual(first);
    expect(keys).toHaveLength(2);
    await addKey(path);
    await expect(readKeyFile(path, settings)).rejects.toThrow('chmod 600');
    chmodSync(path, 0o600);
    expect(await readKeyFile(path, settings)).toHaveLength(3);
  });

  it('names the key that cannot be unwrapped and its service', async () => {
    const path = join(folder, 'refused');
    await createKeyFile(path, keptBy(), settings);
    await expect(readKeyFile(path)).rejects.toThrow('Set VAULT_TOKEN_FILE');
    vault.failNext(403, { errors: ['permission denied'] });
    await expect(readKeyFile(path, settings)).rejects.toThrow(
      `${path}, key 1: vault ${vault.url}/transit/onefold could not unwrap the key-encryption key. Error: Vault returned 403: permission denied`,
    );
    writeFileSync(path, 'gcp-kms projects/p abc\n');
    await expect(readKeyFile(path)).rejects.toThrow('unknown key service "gcp-kms"');
  });

  it('is not created when the service refuses', async () => {
    const path = join(folder, 'not-made');
    vault.failNext(403, { errors: ['permission denied'] });
    await expect(createKeyFile(path, keptBy(), settings)).rejects.toThrow('permission denied');
    await expect(readKeyFile(path)).rejects.toThrow('is missing');
    await expect(openKeyService('vault', 'onefold')).rejects.toThrow('https://vault:8200/transit');
  });
});
