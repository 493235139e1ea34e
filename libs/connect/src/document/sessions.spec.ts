import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import type { OperationId } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { compileProvider } from '#provider-document';
import { ProviderHttp } from '#provider-http';
import { documentCall } from './document-call.fixture.js';
import { documentProvider } from './document-provider.js';

interface Seen {
  line: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let server: Server;
let url = '';
let seen: Seen[] = [];
/** Tokens of the open sessions. */
let open = new Set<string>();
let logins = 0;
let running = 0;
let highest = 0;
const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy);

beforeAll(async () => {
  server = createServer((request, response) => {
    running += 1;
    highest = Math.max(highest, running);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      const line = `${method} ${path}`;
      seen.push({ line, headers, body: Buffer.concat(chunks).toString() });
      const token = String(headers['x-token']);
      let status = open.has(token) || path === '/plain' ? 200 : 401;
      let body: object = { id: '1' };
      if (line === 'POST /login') {
        logins += 1;
        open.add(`token-${logins}`);
        [status, body] = [200, { session: { token: `token-${logins}`, seconds: 3600 } }];
      }
      if (line === 'DELETE /login') open.delete(token);
      setTimeout(() => {
        running -= 1;
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      }, 5);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
  open = new Set();
  logins = running = highest = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  await dispatcher.destroy();
  await new Promise((done) => server.close(done));
});

/** Permits for one call at a time. */
function oneAtATime() {
  let last: Promise<void> = Promise.resolve();
  return {
    acquire: async () => {
      const before = last;
      let release: () => void = () => undefined;
      last = new Promise((done) => (release = done));
      await before;
      return release;
    },
  };
}

const bySession = `basic:
      send: session
      login:
        method: POST
        path: /login
        body: 'root = {"user": this.credential.username, "password": this.credential.secret}'
      token: this.body.session
      lifetime: this.body.session.seconds
      as: { send: header, name: x-token, value: this.session.token }
      logout: { method: DELETE, path: /login }`;

/** Runs \`custom_get\` of a document with one step, in a process that was just started. */
function setUp(credential: string, step = '{ path: /one }') {
  const provider = documentProvider(
    compileProvider(`
provider: custom_sessions
version: 1.0.0
fullname: Sessions
vendor: Tests
credentials:
  credential:
    ${credential}
http: { base_url: this.config.url }
operations:
  custom_get:
    steps:
      - ${step}
    record: this.steps.call
`),
  );
  const http = new ProviderHttp({
    dispatcher,
    policy,
    clock: systemClock,
    permits: oneAtATime(),
    tokens: { get: () => Promise.reject(new Error('no tokens here')) },
  });
  const opened = (kind: string) => ({
    id: 'crd_1',
    kind,
    config: { username: 'ada', secret: 'pa55word' },
  });
  const kind = credential.split(':')[0] ?? '';
  const call = async () =>
    await provider.operations['custom_get' as OperationId]?.run(
      documentCall({ http, providerConfig: { url }, credential: () => opened(kind) }),
      {},
    );
  return { http, call };
}

describe('a session', () => {
  it('is opened within the limits of the provider, where one call is permitted at a time', async () => {
    const { call } = setUp(bySession);
    const results = await Promise.all([call(), call(), call()]);
    expect(results).toEqual([1, 2, 3].map(() => ({ record: { id: '1' } })));
    expect({ logins, highest }).toEqual({ logins: 1, highest: 1 });
    expect(seen[0]).toMatchObject({
      line: 'POST /login',
      body: '{"password":"pa55word","user":"ada"}',
    });
    expect(seen[0]?.headers['x-token']).toBeUndefined();
  });

  it('that the provider has ended is opened again for the call', async () => {
    const { call } = setUp(bySession);
    await call();
    open.clear();
    expect(await call()).toEqual({ record: { id: '1' } });
    expect(seen.map(({ line }) => line)).toEqual([
      'POST /login',
      'GET /one',
      'GET /one',
      'POST /login',
      'GET /one',
    ]);
  });

  it('that never works ends the call after one more login', async () => {
    const other = setUp(bySession.replace('this.session.token }', `'"wrong-token"' }`));
    await expect(other.call()).rejects.toMatchObject({ status: 502 });
    expect(logins).toBe(2);
  });

  it('is not opened for a step that goes without the credential', async () => {
    await setUp(bySession, '{ path: /plain, anonymous: true }').call();
    expect(logins).toBe(0);
  });

  it('is closed at the end of the process, with its token', async () => {
    const { http, call } = setUp(bySession);
    await call();
    await http.sessions.end();
    expect(seen.at(-1)).toMatchObject({ line: 'DELETE /login', headers: { 'x-token': 'token-1' } });
    expect(open.size).toBe(0);
  });
});

describe('a credential in the body', () => {
  const sent = async (credential: string, step: string) => {
    await setUp(credential, step).call();
    return seen[0];
  };

  it('is a field of it, in the place that its name says', async () => {
    const credential = 'token: { send: body, name: params.auth, value: this.credential.secret }';
    const step = `{ method: POST, path: /plain, body: 'root = {"params": {"id": 1}, "method": "x"}' }`;
    expect(JSON.parse((await sent(credential, step))?.body ?? '')).toEqual({
      params: { id: 1, auth: 'pa55word' },
      method: 'x',
    });
  });

  it('is several fields where it has no name, also in a form and of a request without a body', async () => {
    const credential = `basic: { send: body, value: '{"user": this.credential.username, "key": this.credential.secret}' }`;
    const form = await sent(
      credential,
      `{ method: POST, path: /plain, encoding: form, body: root.id = 1 }`,
    );
    expect(form?.body).toBe('id=1&user=ada&key=pa55word');
    seen = [];
    const empty = await sent(credential, '{ method: POST, path: /plain }');
    expect(empty).toMatchObject({
      body: '{"key":"pa55word","user":"ada"}',
      headers: { 'content-type': 'application/json' },
    });
  });

  it('is part of what a signature beside it signs', async () => {
    const both = `token: { send: body, name: key, value: this.credential.secret }
  signature:
    beside: true
    token: { send: hmac_sha256, name: x-signature }`;
    const request = await sent(both, `{ method: POST, path: /plain, body: root.id = 1 }`);
    const { createHmac } = await import('node:crypto');
    expect(request?.headers['x-signature']).toBe(
      createHmac('sha256', 'pa55word').update('{"id":1,"key":"pa55word"}').digest('hex'),
    );
  });
});
