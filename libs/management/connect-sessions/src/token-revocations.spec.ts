import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EgressPolicy } from '#egress';
import type { Manifest } from '#provider-document';
import { revocationAddress, TokenRevocations } from './token-revocations.js';

type Declared = NonNullable<Manifest['authorization']>;

let server: Server;
let url: string;
let revocations: TokenRevocations;
let answer: { status: number; body: string };
let seen: { request: IncomingMessage; body: string };

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      seen = { request, body };
      response.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/revoke`;
  revocations = new TokenRevocations(new EgressPolicy(['127.0.0.1']));
});
afterAll(async () => {
  await revocations.onApplicationShutdown();
  server.close();
});

const application = {
  clientId: 'a client',
  clientSecret: 'its:secret',
  authorizeUrl: 'https://vendor.example/authorize',
  tokenUrl: 'https://vendor.example/token',
};
const declared = (client: 'basic' | 'body'): Declared => ({
  credential: 'credential',
  scopes: ['things'],
  client,
  source: 'https://vendor.example',
  authorize_url: application.authorizeUrl,
  token_url: application.tokenUrl,
});
const revoke = async (status: number, body = '', client: 'basic' | 'body' = 'basic') => {
  answer = { status, body };
  const tokens = { access: 'an access token', refresh: 'a refresh token' };
  const how = { url, source: 'https://vendor.example' };
  return await revocations.revoke(application, declared(client), how, tokens);
};

describe('a revocation by RFC 7009', () => {
  it('sends the refresh token with client id and secret, by HTTP Basic or in the form', async () => {
    expect(await revoke(200)).toEqual({ outcome: 'revoked' });
    const form = { token: 'a refresh token', token_type_hint: 'refresh_token' };
    expect(Object.fromEntries(new URLSearchParams(seen.body))).toEqual(form);
    const pair = Buffer.from('a+client:its%3Asecret').toString('base64');
    expect(seen.request.headers.authorization).toBe(`Basic ${pair}`);
    await revoke(200, '', 'body');
    expect(seen.request.headers.authorization).toBeUndefined();
    const client = { client_id: 'a client', client_secret: 'its:secret' };
    expect(Object.fromEntries(new URLSearchParams(seen.body))).toEqual({ ...form, ...client });
  });

  it.each([500, 503, 429])('is tried again after the status %i', async (status) => {
    await expect(revoke(status)).rejects.toThrow(`status ${status}`);
  });

  it('names the code of a refusal, and nothing else of what came', async () => {
    expect(await revoke(400, '{"error":"unsupported_token_type"}')).toEqual({
      outcome: 'left',
      reason: 'the provider answered status 400, unsupported_token_type',
    });
    const { reason } = await revoke(400, '{"error":"for a refresh token"}');
    expect(reason).toBe('the provider answered status 400, error');
  });

  it('takes the statuses that the document names for the end of the token', async () => {
    answer = { status: 400, body: '' };
    const how = { url, over: [400, 401], source: 'https://vendor.example' };
    const tokens = { access: 'an access token', refresh: null };
    expect(await revocations.revoke(application, declared('body'), how, tokens)).toEqual({
      outcome: 'over',
      reason: 'the provider took the token no more (status 400)',
    });
    const form = new URLSearchParams(seen.body);
    expect([form.get('token'), form.get('token_type_hint')]).toEqual([
      'an access token',
      'access_token',
    ]);
  });

  it('goes where the egress policy allows it alone', async () => {
    const strict = new TokenRevocations(new EgressPolicy());
    const tokens = { access: 'a', refresh: null };
    const how = { url, source: url };
    const outcome = await strict.revoke(application, declared('basic'), how, tokens);
    expect(outcome).toEqual({ outcome: 'left', reason: 'this service may not call the provider' });
    await strict.onApplicationShutdown();
  });
});

describe('the address of a revocation', () => {
  const at = (tokenUrl: string, revoke_url?: string) =>
    revocationAddress(
      'https://api.vendor.example/applications/{client_id}/token',
      { ...application, tokenUrl },
      declared('basic'),
      { extra: { revoke_url } },
    );

  it('is that of the document while the application has its token address', () => {
    expect(at(application.tokenUrl)).toBe(
      'https://api.vendor.example/applications/a%20client/token',
    );
  });

  it('is named by an application with a token address of its own, at the same origin', () => {
    expect(at('https://own.example/token')).toBeUndefined();
    expect(at('https://own.example/token', 'https://own.example/r')).toBe('https://own.example/r');
    expect(at('https://own.example/token', 'https://other.example/r')).toBeUndefined();
    expect(at(application.tokenUrl, 'https://other.example/r')).toBeUndefined();
  });
});
