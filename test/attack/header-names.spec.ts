import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Service, startService } from '../api/service.js';

let service: Service;
let server: Server;
let url: string;
/** Headers of the requests that the provider got. */
let got: IncomingHttpHeaders[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    got.push(request.headers);
    response.setHeader('content-type', 'application/json');
    request.resume().on('end', () => response.end('[]'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startService();
});
beforeEach(() => {
  got = [];
});
afterAll(async () => {
  await service.stop();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

async function create<Result>(path: string, body: object): Promise<Result> {
  const { status, message, result } = await service.call<Result>('POST', path, body);
  expect([status, message]).toEqual([200, '']);
  return result;
}

/** A provider whose header, and the name of whose secret's header, are values of the configuration. */
const document = (name: string) => `
provider: custom_${name}
version: 1.0.0
fullname: Headers
vendor: Tests
configuration:
  properties: { url: { type: string, format: uri }, name: { type: string }, secret_name: { type: string } }
  required: [url, name, secret_name]
credentials:
  credential:
    token: { send: header, name: '{this.config.secret_name}', value: this.credential.secret }
http:
  base_url: this.config.url
  headers: 'root = {this.config.name: "a"}'
operations:
  custom_query:
    resource: things
    fields: { id: { type: number } }
    steps: [{ name: things, path: '/things' }]
    rows: this.steps.things
`;

let made = 0;
/** Calls a provider with a header, and a secret in another one. */
async function callWith(name: string, secretName: string) {
  made += 1;
  await create('/v1/customs', { name: `headers${made}`, data: document(`headers${made}`) });
  const { account } = await create<{ account: { id: string } }>('/v1/accounts', {});
  const credential = { type: 'token', secret: 'the secret of the provider' };
  const provider_config = {
    type: `custom_headers${made}`,
    url,
    name,
    secret_name: secretName,
    credential,
  };
  const { token } = await create<{ token: { access: { secret: string } } }>(
    `/v1/integrations/${account.id}`,
    { provider_config },
  );
  got = []; // of its verification
  return await service.call(
    'GET',
    '/v1/custom/operations/query/custom_query',
    undefined,
    token.access.secret,
  );
}

const reserved = [
  'host',
  'Host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'te',
  'expect',
  'forwarded',
  'x-forwarded-host',
  'X-Forwarded-For',
  'x-original-url',
  'x-rewrite-url',
  'x-http-method-override',
  'proxy-authorization',
  'via',
  'x-real-ip',
  'onefold-bridge-secrets',
  'not a name',
  'a:b',
  'a\r\nb',
];

describe('a header that decides more than what the provider is told', () => {
  it.each(reserved)(
    'is set by no document and no configuration, and no secret is sent: %j',
    async (name) => {
      const { status, message } = await callWith(name, 'x-api-key');
      expect([status, message]).toEqual([400, expect.stringContaining('cannot be set')]);
      expect(got).toEqual([]);
    },
  );

  it.each(['host', 'x-forwarded-host', 'content-length'])('carries no secret: %s', async (name) => {
    const { status, message } = await callWith('x-other', name);
    expect([status, message]).toEqual([400, expect.stringContaining('cannot be set')]);
    expect(got).toEqual([]);
  });
});

it('a header that the provider reads is set, and a secret is sent in it', async () => {
  for (const [name, secretName] of [
    ['accept', 'authorization'],
    ['X-Vendor-Version', 'apikey'],
  ] as const) {
    expect((await callWith(name, secretName)).message).toBe('');
    const expected = { [name.toLowerCase()]: 'a', [secretName]: 'the secret of the provider' };
    expect(got.at(-1)).toMatchObject(expected);
  }
});
