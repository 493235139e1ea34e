import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Service, startService } from '../api/service.js';

/** Spellings of addresses on this machine that the operator has not allowed: only 127.0.0.1 is. */
const forbidden = [
  '127.0.0.2',
  '127.2',
  '2130706434',
  '0x7f000002',
  '0177.0.0.2',
  '127.0.0.2.',
  '%31%32%37.0.0.2',
  '127。0。0。2',
  '１２７.0.0.2',
  '0.0.0.0',
  '0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.2]',
  '[::ffff:7f00:2]',
  '[::127.0.0.2]',
  '[64:ff9b::7f00:2]',
  '[2002:7f00:2::]',
  'user@127.0.0.2',
  '127.0.0.1@127.0.0.2',
  '127.0.0.1%40127.0.0.2',
];

const inside = 'a secret of the inside';
const document = (name: string, path: string) => `
provider: custom_${name}
version: 1.0.0
fullname: ${name}
vendor: Tests
configuration:
  properties: { url: { type: string } }
  required: [url]
credentials:
  credential:
    token: { send: header, name: x-key, value: this.credential.secret }
http:
  base_url: this.config.url
  message: this.body.why
operations:
  custom_get:
    steps: [{ path: '${path}' }]
    record: this.steps.call
`;

let service: Service;
let accountId: string;
/** Listens on every address of the machine; only forbidden ones reach it. */
let secret: Server;
let port: number;
let hits = 0;
let names = 0;

async function listen(host: string, handler: RequestListener): Promise<Server> {
  const server = createServer(handler);
  await new Promise<void>((done) => server.listen(0, host, done));
  return server;
}
const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  service = await startService();
  secret = await listen('0.0.0.0', (_request, response) => {
    hits += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 1, name: inside }));
  });
  port = portOf(secret);
  for (const [name, path] of [
    ['by_address', '/things/{this.path.id}'],
    ['by_path', '/{+this.path.id}'],
  ] as const)
    await call('POST', '/v1/customs', { data: document(name, path) });
  const made = await call<{ account: { id: string } }>('POST', '/v1/accounts', { name: 'egress' });
  accountId = made.account.id;
});
beforeEach(() => {
  hits = 0;
});
afterAll(async () => {
  await service.stop();
  close(secret);
});

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { status, message, result } = await service.call(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${message}`);
  return result as T;
}

/** Checks that a response contains nothing from inside the network. */
async function send(method: string, path: string, body?: unknown, token?: string) {
  const { status, message, result } = await service.call(method, path, body, token);
  expect(JSON.stringify([message, result])).not.toContain(inside);
  return { status, message };
}

/** Returns the token of an integration, or the refusal to create it. */
async function integrate(type: string, url: string) {
  names += 1;
  const created = await service.call<{ token: { access: { secret: string } } }>(
    'POST',
    `/v1/integrations/${accountId}`,
    {
      name: `i-${names}`,
      provider_config: { type, url, credential: { type: 'token', secret: 'hush' } },
    },
  );
  return created.status === 200 ? created.result.token.access.secret : undefined;
}

const things = '/v1/custom/operations/get/custom_get';

it('the spec would see a call that gets there', async () => {
  const url = `http://127.0.0.1:${port}`;
  const token = await integrate('custom_by_address', url);
  const { status, result } = await service.call('GET', `${things}/1`, undefined, token);
  expect([status, hits, result]).toEqual([200, 1, expect.anything()]);
});

describe.each(forbidden)('http://%s is not called', (host) => {
  const url = () => `http://${host}:${port}`;
  /** Listens on the allowed address, and redirects every caller to the address in the path. */
  let redirecting: Server;
  let redirected = 0;
  beforeAll(async () => {
    redirecting = await listen('127.0.0.1', (request, response) => {
      redirected += 1;
      const target = /^\/things\/(.*)$/.exec(request.url ?? '')?.[1];
      if (target === undefined) return response.end('{}');
      // As bytes: Node refuses other characters in a header.
      const location = Buffer.from(decodeURIComponent(target), 'utf8').toString('latin1');
      return response.writeHead(302, { location }).end();
    });
  });
  afterAll(() => close(redirecting));

  it('to verify a configuration', async () => {
    const provider_config = {
      type: 'ticketing_redmine',
      url: url(),
      credential: { type: 'token', secret: 'hush' },
    };
    const verified = await send('POST', `/v1/integrations/${accountId}/verify`, {
      integration: { provider_config },
    });
    expect(verified).toMatchObject({ status: expect.any(Number) });
    if (verified.status >= 500) console.log(verified);
    expect(hits).toBe(0);
  });

  it('by a provider document of a customer', async () => {
    const token = await integrate('custom_by_address', url());
    if (token !== undefined) {
      const { status } = await send('GET', `${things}/1`, undefined, token);
      expect([400, 502]).toContain(status);
    }
    expect(hits).toBe(0);
  });

  it('after a redirect of an allowed provider', async () => {
    const token = await integrate('custom_by_address', `http://127.0.0.1:${portOf(redirecting)}`);
    const target = encodeURIComponent(`${url()}/things/1`);
    const { status } = await send('GET', `${things}/${target}`, undefined, token);
    expect([status, redirected]).toEqual([502, 1]);
    expect(hits).toBe(0);
  });

  it('by a value that goes into a path', async () => {
    const token = await integrate('custom_by_path', `http://127.0.0.1:${portOf(redirecting)}`);
    for (const start of ['//', '/\\', '@', ':@', '', '.@', '../..//', 'http://'])
      await send(
        'GET',
        `${things}/${encodeURIComponent(`${start}${host}:${port}/1`)}`,
        undefined,
        token,
      );
    expect(hits).toBe(0);
  });

  it.each([
    [
      'OpenID Connect',
      (at: string) => ({ type: 'oidc', issuer_url: at, client_id: 'c', client_secret: 's' }),
    ],
    [
      'SAML',
      (at: string) => ({ type: 'saml', idp_metadata_url: `${at}/metadata`, idp_entity_id: at }),
    ],
  ])('for a sign-on by %s', async (_kind, config) => {
    names += 1;
    const name = `sso-${names}`;
    const made = await service.call('POST', '/v1/auth/sso', { name, config: config(url()) });
    if (made.status === 200) {
      const { organizationId } = service.administrator;
      const response = await fetch(`${service.url}/sso/${organizationId}/start/${name}`, {
        redirect: 'manual',
      });
      expect(response.headers.get('location') ?? '').not.toContain(host);
      expect(await response.text()).not.toContain(inside);
    }
    expect(hits).toBe(0);
  });
});
