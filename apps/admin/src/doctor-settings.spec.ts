import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { settingsOf } from '#config';
import { diagnose, type Surroundings } from './doctor.js';
import { DoctorConfiguration } from './doctor-configuration.js';

type Resolve = NonNullable<Surroundings['resolve']>;
const noSuchName =
  (code: string): Resolve =>
  (host, done) =>
    done(Object.assign(new Error(host), { code }), []);

/** Returns one check of a management process with these settings. */
async function said(
  check: string,
  variables: Record<string, string>,
  resolve = noSuchName('ENOTFOUND'),
  url?: string,
) {
  const options = { as: 'management', ...(url === undefined ? {} : { url }) };
  const checks = await diagnose(options, { variables, resolve });
  return checks.find((one) => one.check === check);
}

it('knows every setting of every process', () => {
  const page = readFileSync(
    fileURLToPath(new URL('../../../../docs/configuration.md', import.meta.url)),
    'utf8',
  );
  const variables = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, variable]) => variable);
  expect(variables.length).toBeGreaterThan(100);
  expect(
    settingsOf(DoctorConfiguration)
      .map(({ variable }) => variable)
      .sort(),
  ).toEqual([...new Set(variables)].sort());
});

it.each([
  [
    { EGRES_ALLOW: '10.0.0.0/8' },
    'EGRES_ALLOW is not a setting of any process. Did you mean EGRESS_ALLOW?',
  ],
  [{ NATS_TOKEN: 'x' }, 'NATS_TOKEN is not a setting of any process.'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
  [
    { NATS_URL: 'nats://127.0.0.1:1', NATS_USER: 'gateway' },
    'NATS_USER and NATS_PASSWORD must be set together.',
  ],
  [{ NATS_USER: 'gateway', NATS_PASSWORD: 'x' }, 'A NATS user is given, but NATS_URL is not'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }, 'has no use without OTEL_EXPORTER_OTLP_ENDPOINT'],
  [{ OTEL_TRACES_SAMPLER_ARG: '0.5' }, 'has no use with the sampler parentbased_always_on'],
  [{ KEY_FILE: '/k/1', OLD_KEY_FILES: '/k/../k/1' }, 'OLD_KEY_FILES contains KEY_FILE'],
  [{ VAULT_TOKEN_FILE: '/none' }, 'VAULT_TOKEN_FILE: there is no file /none'],
  [{ MAX_BODY_BYTES: '100000000' }, 'MAX_BODIES_BYTES must be at least twice MAX_BODY_BYTES'],
])(
  'names settings that are invalid, unknown or contradict each other: %j',
  async (variables, says) => {
    expect(await said('configuration', variables)).toMatchObject({
      ok: false,
      says: expect.stringContaining(says),
    });
  },
);

it('does not take variables of others for settings', async () => {
  const others = {
    HOME: '/',
    HOSTNAME: 'x',
    SSL_CERT_FILE: '/x',
    NIX_SSL_CERT_FILE: '/x',
    NATS_SERVICE_HOST: '10.0.0.1',
    AWS_ROLE_ARN: 'x',
    NATS_PASSWORD_GATEWAY: 'x',
    NATS_PORT_4222_TCP: 'x',
    LOG_LEVEL: 'warn',
  };
  expect(await said('configuration', others)).toMatchObject({
    ok: true,
    says: expect.stringMatching(/^1 settings are given/),
  });
});

it('says what the egress policy allows', async () => {
  expect(await said('egress', {})).toEqual({
    check: 'egress',
    ok: true,
    says: 'public addresses are allowed, metadata addresses are not; nothing inside the company is',
  });
  expect(await said('egress', { EGRESS_ALLOW: '10.0.0.0/16,127.0.0.1' })).toMatchObject({
    ok: true,
    says: expect.stringContaining(
      '10.0.0.0/16, 127.0.0.1, with http://127.0.0.1/, http://10.0.0.1/',
    ),
  });
});

it.each([
  ['10.0.0.0/99', 'is not a valid address or range'],
  ['0.0.0.0/0', 'allows nearly everything'],
  ['169.254.169.254', 'is never allowed'],
  ['8.8.8.8', 'is public and is allowed anyway'],
])('finds an entry of EGRESS_ALLOW that is of no use: %s', async (entry, says) => {
  expect(await said('egress', { EGRESS_ALLOW: entry })).toMatchObject({
    ok: false,
    says: expect.stringContaining(says),
  });
});

it('connects to an address as providers are connected to, and sends nothing', async () => {
  const received: Buffer[] = [];
  const server = createServer((socket) => socket.on('data', (bytes) => received.push(bytes)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const toServer: Resolve = (_host, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
  const reach = (variables: Record<string, string>, at = port) =>
    said('egress', variables, toServer, `https://desk.example:${at}/api`);
  expect(await reach({})).toMatchObject({
    ok: false,
    says: expect.stringContaining('allow its range with EGRESS_ALLOW'),
  });
  expect(await reach({ EGRESS_ALLOW: '127.0.0.1' })).toMatchObject({
    ok: true,
    says: expect.stringContaining(`desk.example:${port} is reached`),
  });
  server.close();
  await once(server, 'close');
  expect(await reach({ EGRESS_ALLOW: '127.0.0.1' })).toMatchObject({
    ok: false,
    says: expect.stringContaining(`desk.example:${port} is not reached (ECONNREFUSED)`),
  });
  expect(received).toEqual([]);
});

it('finds names without an address, and a resolver that does not answer', async () => {
  const natsUrl = { NATS_URL: 'nats://bus.example:4222' };
  expect(await said('dns', {})).toMatchObject({ ok: true, says: 'the resolver answers' });
  expect(await said('dns', natsUrl)).toMatchObject({
    ok: false,
    says: expect.stringContaining('bus.example has no address (ENOTFOUND)'),
  });
  expect(await said('dns', {}, noSuchName('EAI_AGAIN'))).toMatchObject({
    ok: false,
    says: expect.stringContaining('no resolver answers (EAI_AGAIN)'),
  });
});
