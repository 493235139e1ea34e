import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, nkeys } from '@nats-io/transport-node';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '#secrets';
import { busKeys, maxWaitMs, type NatsServer, startNats, until } from '#test/harness';
import { createJwtAccounts } from './nats-jwt.fixture.js';
import { connectionOptions, MessageBus, type NatsSettings, NatsTransport } from '../index.js';

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

/** Returns whether a process with these settings receives its own messages. */
async function works(settings: NatsSettings): Promise<boolean> {
  const transport = await NatsTransport.connect(settings, { keys: busKeys });
  let heard = false;
  const bus = new MessageBus(transport);
  bus.subscribe('records.changed', () => (heard = true));
  bus.publish('records.changed', { changes: ['o 1'] });
  await until(() => heard);
  await transport.close();
  return heard;
}

/** Returns why a process with these settings cannot connect. A transport would try again until the process ends. */
async function refusal(settings: NatsSettings, timeout = maxWaitMs): Promise<string> {
  const refused = await connect({ ...connectionOptions(settings), timeout }).then(
    (connection) => connection.close(),
    (error: unknown) => error,
  );
  return String(refused);
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
    expect(await refusal({ natsUrl: `nats://g:wrong@${host}` })).toMatch(/Authorization/);
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
    expect(await refusal({ natsUrl, natsCredentialsFile: strange })).toMatch(/Authorization/);
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
    expect(await refusal(trusted, 3_000)).toMatch(/certificate|timeout/); // The client does not hear why it is refused.
  });

  it('and not in the clear where TLS is wanted', async () => {
    const { host } = await start('');
    expect(await refusal({ natsUrl: `tls://${host}` })).toMatch(/tls/i);
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
