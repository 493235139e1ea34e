import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { INestApplication } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { openManagement, type OpenManagement } from '#apps/management';
import { BusModule, BusServer, InProcessTransport, MessageBus } from '#bus';
import { operations } from '#contract';
import type { ManagementContext } from '#management/core';
import {
  type AdministratorToken,
  createAdministratorToken,
  createOrganization,
} from '#management/tokens';
import { Health, Metrics, ObserveModule } from '#observe';
import { keyOf, mintToken, Sealer } from '#secrets';
import { wholeOrganization } from '#store';
import { createMigratedDatabase, eventually, type TestDatabase } from '#test/harness';
import { GatewayAdapter, GatewayModule, type HttpSide, serveHttp } from '#apps/gateway';
import { holdAgainstContract } from './hold-against-contract.js';

let database: TestDatabase;
let context: ManagementContext;
let management: OpenManagement;
let app: INestApplication;
let http: HttpSide;
let administrator: AdministratorToken;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const transport = new InProcessTransport();
  management = await openManagement({
    databaseUrl: database.url,
    databasePool: 5,
    sealer: new Sealer(keyOf(randomBytes(32))),
    bus: new MessageBus(transport),
    health: new Health(),
    metrics: new Metrics('spec'),
    publicUrl: () => 'http://localhost:8080',
    egressAllow: [],
  });
  ({ context } = management);
  @Module({
    imports: [
      BusModule.over(transport),
      ObserveModule.with({ health: new Health(), metrics: new Metrics('spec') }),
      management.module,
      GatewayModule.with({
        host: '127.0.0.1',
        port: 0,
        corsOrigins: ['https://console.example.com'],
        maxBodyBytes: 4_096,
        maxBodiesBytes: 8_388_608,
        maxUploadBytes: 1_048_576,
        proxyHops: 1,
        referencePage: true,
        console: false,
        connect: false,
        providerImagesFolder: '',
        pathAliases: [],
      }),
    ],
  })
  class Everything {}
  app = await NestFactory.create(Everything, new GatewayAdapter(), {
    logger: false,
    bodyParser: false,
  });
  app.connectMicroservice({ strategy: new BusServer(transport) });
  await app.startAllMicroservices();
  http = await serveHttp(app);
  administrator = await createOrganization(context, {
    name: 'acme',
    fullname: 'Acme',
    administrator: 'admin',
  });
});
afterAll(async () => {
  await http.drain();
  await app.close();
  await management.close();
  await database.drop();
});

async function call(
  method: string,
  path: string,
  init: RequestInit = {},
  token = administrator.access,
) {
  const response = await fetch(`${http.url}${path}`, {
    method,
    ...init,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(init.body ? { 'content-type': 'application/json' } : {}),
      ...init.headers,
    },
  });
  const text = await response.text();
  holdAgainstContract(method, path, response, text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: (text.startsWith('{') ? JSON.parse(text) : undefined) as Record<string, unknown>,
  };
}
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  call('POST', path, { body: typeof body === 'string' ? body : JSON.stringify(body), headers });

/** Sends bytes over a socket, and returns the response until the connection closes. */
async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(http.url);
  return await new Promise((settle) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('close', () => settle(answer));
    socket.on('error', () => settle(answer));
  });
}

describe('the gateway', () => {
  it('creates an account and lists it', async () => {
    const created = await post('/v1/accounts', { fullname: 'Blue Sky', labels: ['emea'] });
    expect(created.status).toBe(200);
    expect(created.json).toMatchObject({
      result: {
        account: { name: 'blue-sky', fullname: 'Blue Sky', environment: 'prod', labels: ['emea'] },
      },
    });
    const listed = await call('GET', '/v1/accounts?filter=name%5Beq%5Dblue-sky&total=true');
    expect(listed.json).toMatchObject({ total: 1, result: [{ name: 'blue-sky' }] });
  });

  it.each([
    ['no token', ''],
    ['an unknown token', mintToken('ofo_')],
    ['a text that is not a token', 'hello'],
  ])('says 401 to %s', async (_name, token) => {
    const { status, json, headers } = await call('GET', '/v1/accounts', {}, token);
    expect(status).toBe(401);
    expect(json).toMatchObject({ status: 401, remediation: expect.any(String) });
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('says 403 to an Organization token at the connector API', async () => {
    const { status, json } = await call('GET', '/v1/ticketing/tickets');
    expect([status, json['message']]).toEqual([
      403,
      'the token is an Organization token, this call needs an Integration token',
    ]);
  });

  it('says 402 when the organization is disabled', async () => {
    const other = await createOrganization(context, {
      name: 'off',
      fullname: 'Off',
      administrator: 'a',
    });
    await context.store.write(wholeOrganization(other.organizationId), (tx) =>
      tx.query(`update organizations set state = 'disabled' where id = $1`, [other.organizationId]),
    );
    expect((await call('GET', '/v1/accounts', {}, other.access)).status).toBe(402);
  });

  it('says 501 to what is planned, after the token', async () => {
    const planned = [...operations.values()].filter(
      ({ state, side, public: open }) => state === 'planned' && side === 'management' && !open,
    );
    for (const { method, path } of planned) {
      const address = path.replaceAll(/\{\w+\}/g, 'x');
      expect([path, (await call(method, address)).status]).toEqual([path, 501]);
      expect([path, (await call(method, address, {}, '')).status]).toEqual([path, 401]);
    }
  });

  it('says 404 to unknown paths and 405 with Allow to unknown methods', async () => {
    expect((await call('GET', '/v1/nowhere')).status).toBe(404);
    expect((await call('GET', '/nowhere')).status).toBe(404);
    const { status, headers } = await call('DELETE', '/v1/accounts');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, HEAD, OPTIONS']);
  });

  it('points at what is wrong with a body', async () => {
    expect((await post('/v1/accounts', '{"name": }')).json).toMatchObject({
      status: 400,
      message: 'the body is not JSON: unexpected text at line 1, column 10 (character 10)',
    });
    expect((await post('/v1/accounts', { environment: 'moon' })).json).toMatchObject({
      status: 400,
      context: { parameter: { id: '/environment', location: 'body', value: 'moon' } },
    });
    expect((await post('/v1/accounts', '{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('/v1/accounts', { name: 'x'.repeat(5_000) })).status).toBe(413);
    expect(
      (await call('PATCH', '/v1/accounts/x', { headers: { 'content-length': '0' } })).status,
    ).toBe(400);
  });

  it('points at what is wrong with a query', async () => {
    const { json } = await call('GET', '/v1/accounts?limit=many&total=perhaps');
    expect(json).toMatchObject({
      status: 400,
      context: { parameter: { id: 'limit', location: 'query' } },
    });
    expect(json['cause']).toHaveLength(2);
  });

  it('carries a request id in and out', async () => {
    const given = await call('GET', '/v1/accounts', { headers: { 'x-request-id': 'mine-1' } });
    expect(given.headers.get('x-request-id')).toBe('mine-1');
    const made = await call('GET', '/v1/accounts', { headers: { 'x-request-id': 'no good' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const failed = await call('GET', '/v1/nowhere', { headers: { 'x-request-id': 'mine-2' } });
    expect(failed.json['instance']).toBe('/requests/mine-2');
  });

  it('answers HEAD like GET without a body, and OPTIONS', async () => {
    const head = await call('HEAD', '/v1/accounts');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(10);
    const options = await call('OPTIONS', '/v1/accounts', {
      headers: {
        origin: 'https://console.example.com',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(options.status).toBe(204);
    expect(options.headers.get('access-control-allow-origin')).toBe('https://console.example.com');
    expect(options.headers.get('access-control-allow-headers')).toBe('authorization');
    const stranger = await call('GET', '/v1/accounts', {
      headers: { origin: 'https://evil.example.com' },
    });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('gives the same answer to the same Idempotency-Key, and makes one record', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const body = { fullname: 'Once', token: { permission_set: 'viewer' } };
    const [first, second] = await Promise.all([
      post('/v1/accounts', body, headers),
      post('/v1/accounts', body, headers),
    ]);
    expect(first.status).toBe(200);
    expect(second.json).toEqual(first.json);
    expect((await post('/v1/accounts', { fullname: 'Else' }, headers)).status).toBe(409);
    const { json } = await call('GET', '/v1/accounts?total=true&filter=fullname%5Beq%5DOnce');
    expect(json['total']).toBe(1);
  });

  it('limits a token to the account it was made with', async () => {
    const { json } = await post('/v1/accounts', {
      name: 'mine',
      token: { permission_set: 'administrator' },
    });
    const result = json['result'] as { token: { primary: { access: { secret: string } } } };
    const token = result.token.primary.access.secret;
    const seen = await call('GET', '/v1/accounts', {}, token);
    expect((seen.json['result'] as { name: string }[]).map(({ name }) => name)).toEqual(['mine']);
    expect((await call('GET', '/v1/accounts/blue-sky', {}, token)).status).toBe(404);
    expect((await call('PATCH', '/v1/organization', { body: '[]' }, token)).status).toBe(403);
  });

  it('serves the documents of the API to callers with a token', async () => {
    for (const name of ['management', 'engine']) {
      const { json } = await call('GET', `/v1/meta/openapi/${name}`);
      expect(json).toMatchObject({ openapi: '3.1.0', servers: [{ url: http.url }] });
      expect((await call('GET', `/v1/meta/openapi/${name}`, {}, '')).status).toBe(401);
    }
  });

  it('refuses bytes that are not HTTP, and endless headers', async () => {
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw(`GET /v1/accounts HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 /,
    );
  });

  it('waits ten seconds for headers, and not for ever', async () => {
    expect(await raw('GET /v1/accounts HTTP/1.1\r\nx-slow: ')).toMatch(/^HTTP\/1.1 408 /);
  });
});

describe('tokens at the gateway', () => {
  type Pair = { access: { secret: string }; refresh: { secret: string } };
  type Answer = { result: { id: string; primary: Pair; secondary?: Pair } };
  const create = async () =>
    (
      await post('/v1/tokens', {
        permission_set: 'viewer',
        resources: { organizations: { ids: ['*'] } },
        token_ttl: '1h',
      })
    ).json as unknown as Answer;
  const works = async (token: string) =>
    (await call('GET', '/v1/accounts', {}, token)).status === 200;
  const refresh = (id: string, secret: string) =>
    call('PUT', `/v1/tokens/${id}/refresh`, {}, secret);

  it('show their secret once', async () => {
    const { result } = await create();
    expect(await works(result.primary.access.secret)).toBe(true);
    const { json } = await call('GET', `/v1/tokens/${result.id}/info`);
    expect((json as unknown as Answer).result.primary.access.secret).toBe('ofo_********');
  });

  it('keep the old pair as secondary on refresh, and are revoked as a family when an older one comes back', async () => {
    const { result: first } = await create();
    const second = (await refresh(first.id, first.primary.refresh.secret))
      .json as unknown as Answer;
    expect(await works(first.primary.access.secret)).toBe(true);
    expect(await works(second.result.primary.access.secret)).toBe(true);
    const third = (await refresh(first.id, second.result.primary.refresh.secret))
      .json as unknown as Answer;
    // The change reaches the gateway a moment after the response.
    await eventually(async () => expect(await works(first.primary.access.secret)).toBe(false));
    expect((await refresh(first.id, first.primary.refresh.secret)).status).toBe(401);
    await eventually(async () =>
      expect(await works(third.result.primary.access.secret)).toBe(false),
    );
  });

  it('have a refresh secret for refresh and reset only', async () => {
    const { result } = await create();
    expect((await call('GET', '/v1/accounts', {}, result.primary.refresh.secret)).status).toBe(401);
    const other = await create();
    expect((await refresh(other.result.id, result.primary.refresh.secret)).status).toBe(404);
  });

  it('are void once they are deleted', async () => {
    const { result } = await create();
    expect(await works(result.primary.access.secret)).toBe(true);
    expect((await call('DELETE', `/v1/tokens/${result.id}`)).status).toBe(204);
    await eventually(async () => expect(await works(result.primary.access.secret)).toBe(false));
  });

  it('are never wider than the token that makes them', async () => {
    const { result } = await create();
    const { status } = await call(
      'POST',
      '/v1/tokens',
      {
        body: JSON.stringify({
          permission_set: 'administrator',
          resources: { organizations: { ids: ['*'] } },
        }),
      },
      result.primary.access.secret,
    );
    expect(status).toBe(403);
  });

  it('can be created at the command line', async () => {
    const token = await createAdministratorToken(context, administrator.organizationId);
    expect(await works(token.access)).toBe(true);
  });
});
