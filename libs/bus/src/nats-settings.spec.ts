import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nkeys } from '@nats-io/transport-node';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '#secrets';
import { busKeys, type NatsServer, startNats } from '#test/harness';
import { createJwtAccounts } from './nats-jwt.fixture.js';
import { connectionOptions, MessageBus, type NatsSettings, NatsTransport } from './index.js';

let folder: string;
const servers: NatsServer[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onefold-nats-settings-'));
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true });
});

async function start(configuration: string): Promise<URL> {
  const server = await startNats(configuration);
  servers.push(server);
  return new URL(server.url);
}

/** Returns whether a process with these settings receives its own messages soon. */
async function works(settings: NatsSettings): Promise<boolean> {
  const connecting = NatsTransport.connect(settings, { keys: busKeys });
  const transport = await Promise.race([connecting, sleep(1_500)]);
  if (transport === undefined) {
    for (const server of servers) await server.stop(); // without a connection it retries forever
    return false;
  }
  let heard = false;
  const bus = new MessageBus(transport);
  bus.subscribe('token.changed', () => (heard = true));
  bus.publish('token.changed', { organizationId: 'o' });
  for (let wait = 0; wait < 100 && !heard; wait += 1) await sleep(20);
  await transport.close();
  return heard;
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A certificate authority, a server's certificate and a client's. */
function certificates() {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
    '-subj',
    '/CN=ca',
    '-days',
    '2',
  );
  const names = file('names', 'subjectAltName=IP:127.0.0.1,DNS:localhost');
  for (const one of ['server', 'client']) {
    openssl(
      'req',
      ...key,
      '-keyout',
      at(`${one}.key`),
      '-out',
      at(`${one}.csr`),
      '-subj',
      `/CN=${one}`,
    );
    openssl(
      'x509',
      '-req',
      '-in',
      at(`${one}.csr`),
      '-CA',
      at('ca.pem'),
      '-CAkey',
      at('ca.key'),
      '-CAcreateserial',
      '-out',
      at(`${one}.pem`),
      '-days',
      '2',
      '-extfile',
      names,
    );
  }
  return at;
}

describe('a process logs on to NATS', () => {
  it('with a user and password, from settings or in the address', async () => {
    const { host } = await start(
      'authorization: { users: [{ user: "g", password: "p@ss:word" }] }',
    );
    const natsPassword = new Secret('p@ss:word');
    expect(await works({ natsUrl: `nats://${host}`, natsUser: 'g', natsPassword })).toBe(true);
    const natsUrl = new Secret(`nats://g:${encodeURIComponent('p@ss:word')}@${host}`);
    expect(await works({ natsUrl })).toBe(true);
    expect(await works({ natsUrl: `nats://g:wrong@${host}` })).toBe(false);
  });

  it('with the seed of an NKEY', async () => {
    const user = nkeys.createUser();
    const seed = file('seed', `${Buffer.from(user.getSeed()).toString()}\n`);
    const { host } = await start(`authorization: { users: [{ nkey: ${user.getPublicKey()} }] }`);
    expect(await works({ natsUrl: `nats://${host}`, natsNkeyFile: seed })).toBe(true);
  });

  it('with the JWT and seed of a .creds file', async () => {
    const { configuration, credentials } = createJwtAccounts();
    const { host } = await start(configuration);
    const natsUrl = `nats://${host}`;
    const natsCredentialsFile = file('user.creds', credentials);
    expect(await works({ natsUrl, natsCredentialsFile })).toBe(true);
    const strange = file('strange.creds', createJwtAccounts().credentials);
    expect(await works({ natsUrl, natsCredentialsFile: strange })).toBe(false);
  });

  it('over TLS, with a client certificate', async () => {
    const at = certificates();
    const { port } = await start(
      `tls { cert_file: "${at('server.pem')}", key_file: "${at('server.key')}", ca_file: "${at('ca.pem')}", verify: true }`,
    );
    const trusted = { natsUrl: `tls://127.0.0.1:${port}`, natsCaFile: at('ca.pem') };
    const natsCertFile = at('client.pem');
    const natsKeyFile = at('client.key');
    expect(await works({ ...trusted, natsCertFile, natsKeyFile })).toBe(true);
    expect(await works(trusted)).toBe(false);
  });

  it('and not in the clear where TLS is wanted', async () => {
    const { host } = await start('');
    expect(await works({ natsUrl: `tls://${host}` })).toBe(false);
  });
});

describe('settings of NATS', () => {
  it.each<[string, NatsSettings, string]>([
    ['another protocol', { natsUrl: 'http://nats' }, 'NATS_URL: each server must be'],
    ['no address', { natsUrl: 'nats' }, 'NATS_URL: each server must be'],
    ['two ways', { natsUrl: 'nats://a:b@nats', natsNkeyFile: 'x' }, 'one way to log on'],
    ['a user alone', { natsUrl: 'nats://nats', natsUser: 'x' }, 'NATS_USER and NATS_PASSWORD'],
    ['a certificate alone', { natsUrl: 'nats://nats', natsCertFile: 'x' }, 'NATS_CERT_FILE and'],
    ['no file', { natsUrl: 'nats://nats', natsCaFile: '/nowhere' }, 'NATS_CA_FILE: /nowhere'],
  ])('are refused with what is wrong: %s', (_what, settings, message) => {
    expect(() => connectionOptions(settings)).toThrow(message);
  });
});
