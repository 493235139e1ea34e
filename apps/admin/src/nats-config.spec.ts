import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { probeNats } from '#bus';
import { Secret } from '#secrets';
import { startNats } from '#test/harness';
import { newFolder } from '../../../test/e2e/onefold.js';
import { diagnose } from './doctor.js';
import { writeNatsConfig } from './nats-config.js';

const processes = 'gateway,management,connector-ticketing-identity,admin';
const given = { processes, domains: ['ticketing,identity'] };

/** Reads a file of variables. */
function variablesOf(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
}

it('writes what a nats-server starts with, with the variables of the chosen processes alone', async () => {
  const folder = join(newFolder(), 'nats');
  expect(await writeNatsConfig({ ...given, folder })).toContain(join(folder, 'nats.conf'));
  const variables = variablesOf(join(folder, 'nats.env'));
  expect(Object.keys(variables)).toEqual([
    'NATS_PASSWORD_GATEWAY',
    'NATS_PASSWORD_MANAGEMENT',
    'NATS_PASSWORD_CONNECTOR_IDENTITY_TICKETING',
    'NATS_PASSWORD_ADMIN',
  ]);
  const configuration = readFileSync(join(folder, 'nats.conf'), 'utf8');
  // The port of monitoring is fixed, and other specs may use it.
  const nats = await startNats(configuration.replace('127.0.0.1:8222', '127.0.0.1:-1'), variables);
  try {
    for (const [user, as, more] of [
      ['gateway', 'gateway', {}],
      ['management', 'management', {}],
      ['connector-identity-ticketing', 'connector', { DOMAINS: 'ticketing,identity' }],
    ] as const) {
      const logOn = variablesOf(join(folder, 'clients', `${user}.env`));
      const checks = await diagnose(
        { as },
        { variables: { NATS_URL: nats.url, ...logOn, ...more } },
      );
      expect(checks.filter(({ check }) => /^(nats|permissions)/.test(check))).toEqual([
        { check: 'nats', ok: true, says: expect.stringContaining('lets the user in') },
        { check: `permissions of ${user}`, ok: true, says: expect.any(String) },
      ]);
    }
    const wrong = { natsUser: 'gateway', natsPassword: new Secret('guess') };
    await expect(probeNats({ natsUrl: nats.url, ...wrong })).rejects.toThrow('refuses the user');
  } finally {
    await nats.stop();
  }
});

it('keeps the passwords of a former run, and files that only their owner reads', async () => {
  const folder = join(newFolder(), 'nats');
  await writeNatsConfig({ ...given, folder });
  const first = variablesOf(join(folder, 'nats.env'));
  await writeNatsConfig({ processes: 'gateway,operations', folder });
  const second = variablesOf(join(folder, 'nats.env'));
  expect(second['NATS_PASSWORD_GATEWAY']).toBe(first['NATS_PASSWORD_GATEWAY']);
  expect(Object.keys(second)).toEqual(['NATS_PASSWORD_GATEWAY', 'NATS_PASSWORD_OPERATIONS']);
  for (const file of ['nats.conf', 'nats.env', ...clients(folder)])
    expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
});

function clients(folder: string): string[] {
  return readdirSync(join(folder, 'clients')).map((file) => join('clients', file));
}

it('refuses what it cannot write, and writes nothing then', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'nats.conf'), 'port: 4222\n');
  await expect(writeNatsConfig({ ...given, folder })).rejects.toThrow('was not written by this');
  const empty = join(newFolder(), 'nats');
  await expect(writeNatsConfig({ folder: empty })).rejects.toThrow('--processes');
  await expect(writeNatsConfig({ folder: empty, processes: 'crm' })).rejects.toThrow('no process');
  await expect(writeNatsConfig({ ...given, folder: empty, listen: '4222' })).rejects.toThrow(
    'not an address with a port',
  );
  const certificates = newFolder();
  mkdirSync(certificates, { recursive: true });
  await expect(writeNatsConfig({ ...given, folder: empty, tls: certificates })).rejects.toThrow(
    'server.pem, server.key, ca.pem',
  );
  expect(existsSync(empty)).toBe(false);
});
