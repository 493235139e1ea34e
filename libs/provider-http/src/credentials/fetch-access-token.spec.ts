import { generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { Attempts, createDispatcher, EgressPolicy } from '#egress';
import { type ClientTokenRequest, fetchAccessToken } from './fetch-access-token.js';
import { refusal } from '../provider-http.fixture.js';

const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy);
let server: Server;
let tokenUrl: string;
let asked: { authorization: string | undefined; form: URLSearchParams }[];
let handler: (response: ServerResponse, call: number) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const { authorization } = request.headers;
      asked.push({ authorization, form: new URLSearchParams(body) });
      handler(response, asked.length);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  server.close();
});

const answers = (status: number, body: string, headers = {}) => {
  handler = (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
};

function fetch(more: Partial<ClientTokenRequest> = {}) {
  const request: ClientTokenRequest = {
    organizationId: 'org_1',
    accountId: 'acc_1',
    credentialId: 'crd_1',
    isStored: true,
    tokenUrl,
    clientId: 'my-app',
    clientSecret: 'sec-ret_1.2~',
    scope: 'read',
    parameters: [['audience', 'desk']],
    client: 'body',
    ...more,
  };
  const attempts = new Attempts({ clock: systemClock });
  const signal = new AbortController().signal;
  return fetchAccessToken(request, { dispatcher, policy, attempts }, systemClock, signal);
}

describe('a request for an access token', () => {
  it('has what the grant needs, in the form or in HTTP Basic', async () => {
    answers(200, '{"access_token":"a"}');
    await fetch();
    await fetch({ client: 'basic' });
    expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
      grant_type: 'client_credentials',
      scope: 'read',
      audience: 'desk',
      client_id: 'my-app',
      client_secret: 'sec-ret_1.2~',
    });
    const pair = Buffer.from('my-app:sec-ret_1.2~').toString('base64');
    expect(asked[1]?.authorization).toBe(`Basic ${pair}`);
    expect(asked[1]?.form.has('client_secret')).toBe(false);
  });

  it('has a signed statement instead of id and secret where there are claims', async () => {
    answers(200, '{"access_token":"a"}');
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const claims = { iss: 'robot@desk.example', sub: 'admin@desk.example' };
    await fetch({ claims, clientSecret: pem });
    await fetch({ claims, clientSecret: pem.replaceAll('\n', '\\n') });
    for (const { form, authorization } of asked) {
      expect(authorization).toBeUndefined();
      expect([...form.keys()].sort()).toEqual(['assertion', 'audience', 'grant_type']);
      expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
      const [head = '', body = '', mac = ''] = (form.get('assertion') ?? '').split('.');
      const signature = Buffer.from(mac, 'base64url');
      expect(verify('sha256', Buffer.from(`${head}.${body}`), publicKey, signature)).toBe(true);
      const said = JSON.parse(Buffer.from(body, 'base64url').toString()) as {
        iat: number;
        exp: number;
      };
      expect(said).toMatchObject({ ...claims, aud: tokenUrl, scope: 'read' });
      expect(said.exp - said.iat).toBe(3600);
    }
  });

  it('is not made with a secret that cannot sign, and the secret is not shown', async () => {
    const refused = await refusal(fetch({ claims: { iss: 'robot' }, clientSecret: 'no-key-1' }));
    expect(refused).toMatchObject({ status: 502 });
    expect(JSON.stringify(refused)).not.toContain('no-key-1');
    expect(asked).toEqual([]);
  });

  it.each([200, 201])(
    'takes a token with the status %i, for five minutes unless told',
    async (status) => {
      answers(status, '{"access_token":"a","token_type":null,"expires_in":null}');
      const { token, expiresAt } = await fetch();
      expect(token).toBe('a');
      expect(Math.round((expiresAt - Date.now()) / 1_000)).toBe(300);
    },
  );

  it.each([429, 500, 503])('is repeated after one %i', async (status) => {
    handler = (response, call) => {
      response.writeHead(call === 1 ? status : 200);
      response.end('{"access_token":"a"}');
    };
    expect((await fetch()).token).toBe('a');
  });

  it.each([
    [429, { 'retry-after': '20' }, '{"error":"slow_down"}', 429, /accepts no more.*slow_down/],
    [400, { 'retry-after': '20' }, '{"error":"slow_down"}', 429, /accepts no more.*slow_down/],
    [503, {}, '<title>Closed</title>', 502, /answers 503: Closed/],
    [500, {}, '{"message":"oops"}', 502, /answers 500: oops/],
    [400, {}, '{"error":"temporarily_unavailable"}', 502, /answers 503: temporarily/],
  ])(
    'that ends with %i gives no advice about the credential',
    async (status, headers, body, shown, words) => {
      answers(status, body, headers);
      const error = await refusal(fetch());
      expect([error.status, error.message]).toEqual([shown, expect.stringMatching(words)]);
      expect(error.options.remediation).toMatch(/^Try again/);
      if (shown === 429) expect(error.options.headers).toEqual({ 'retry-after': '20' });
    },
  );

  it.each([
    [401, '{"errors":[{"code":401,"message":"access denied"}]}', /: 401 access denied$/],
    [200, '{"error":"bad_code","error_description":"It expired."}', /: bad_code It expired.$/],
    [400, '{"error":"no sec-ret_1.2~"}', /: no \[secret\]$/],
    [403, '', /\(status 403\)$/],
  ])('that is refused with %i quotes the provider: %s', async (status, body, words) => {
    answers(status, body);
    const error = await refusal(fetch());
    expect([error.status, error.message]).toEqual([502, expect.stringMatching(words)]);
    expect(error.options.remediation).toContain('Check client id');
  });

  it.each([
    [404, 'Not Found', {}, /token_url/],
    [200, '', {}, /token_url/],
    [308, '', { location: 'https://eu.example/token' }, /moved/],
  ])('at a wrong address (%i) names token_url', async (status, body, headers, remediation) => {
    answers(status, body, headers);
    const error = await refusal(fetch());
    expect(error.options.remediation).toMatch(remediation);
    if (status === 308) expect(error.message).toContain('redirects to https://eu.example');
  });
});
