import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../serve/fake-clock.js';
import { MemoryStorage } from '../state/fake-storage.js';
import { readFake } from '../document/read-fake.js';
import { FakeEngine } from './fake-engine.js';

const document = `
fake: acme
collections: { things: { from: this.world.devices, id: this.id, row: 'root.id = this.it.uuid' } }
auth:
  principals: { someone: [things] }
  accepts:
    - kind: oauth_code
      page: GET /authorize
      token: POST /token
      vendor: Acme
      clients: { lasting: {}, expiring: { lifetime: 600, refresh: true } }
      revocation: { route: POST /revoke }
      revokes: true
      refused: { client: bad_client, code: bad_code, redirect: bad_redirect, refresh: bad_refresh }
errors:
  body: 'root.error = this.error.name'
  bad_client: { status: 400, message: x }
  bad_code: { status: 400, message: x }
  bad_redirect: { status: 400, message: x }
  bad_refresh: { status: 400, message: x }
  unauthenticated: { status: 401, message: x }
  expired_token: { status: 401, message: x }
  forbidden: { status: 403, message: x }
  no_route: { status: 404, message: x }
  no_method: { status: 405, message: x }
  bad_parameter: { status: 400, message: x }
  bad_body: { status: 400, message: x }
  bad_cursor: { status: 400, message: x }
  limited: { status: 429, message: x }
  failure: { status: 500, message: x }
routes:
  GET /things:
    access: things
    body: root = []
  GET /others:
    access: others
    body: root = []
`;

const origin = 'http://acme.example';
const redirectUri = 'https://host.example/back';
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

let engine: FakeEngine;
let clock: FakeClock;
beforeEach(() => {
  clock = new FakeClock();
  const options = { storage: new MemoryStorage(), clock: clock.now, start: new Date() };
  engine = new FakeEngine(readFake(document), { ...options, dataset: 'BASIC', key: 'k' });
});

const application = (name: string) => {
  const found = engine.credentials()[0]?.applications?.get(name);
  if (found === undefined) throw new Error(name);
  return found;
};
const get = async (path: string, token?: string) => {
  const headers: Record<string, string> = {};
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  const {
    status,
    headers: own,
    body,
  } = await engine.handle({
    method: 'GET',
    url: `${origin}${path}`,
    headers,
  });
  return { status, location: own['location'], text: Buffer.from(body).toString() };
};
const page = (name: string, more: Record<string, string> = {}) =>
  `/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: application(name).id,
    redirect_uri: redirectUri,
    scope: 'things others',
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  }).toString()}`;
type Field = 'access_token' | 'refresh_token' | 'scope' | 'error';
const codeOf = async (name: string, more: Record<string, string> = {}) => {
  const { location = '' } = await get(page(name, { decision: 'allow', ...more }));
  return new URL(location).searchParams.get('code') ?? '';
};
const exchange = async (name: string, more: Record<string, string>) => {
  const { id, secret } = application(name);
  const form = { client_id: id, client_secret: secret, ...more };
  const { status, body } = await engine.handle({
    method: 'POST',
    url: `${origin}/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(new URLSearchParams(form).toString()),
  });
  const issued = JSON.parse(Buffer.from(body).toString()) as Partial<Record<Field, string>>;
  return { status, ...issued };
};
const useCode = async (name: string, code: string, more: Record<string, string> = {}) =>
  await exchange(name, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...more,
  });
const refresh = async (token = '') =>
  await exchange('expiring', { grant_type: 'refresh_token', refresh_token: token });

describe('the page where a person decides', () => {
  it('shows the scopes, and leads back with a code or with the refusal', async () => {
    const shown = await get(page('lasting'));
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('<li>others</li>');
    const [, path = ''] = /id="decline" href="([^"]*)"/.exec(shown.text) ?? [];
    const { location } = await get(path.replaceAll('&#38;', '&'));
    expect(location).toBe(`${redirectUri}?state=s&error=access_denied`);
  });

  it('leads nowhere for an application that is unknown', async () => {
    const { status, location } = await get(page('lasting', { client_id: 'x', decision: 'allow' }));
    expect([status, location]).toEqual([400, undefined]);
  });
});

describe('a code', () => {
  it('is exchanged once, for a token with the scopes that were granted', async () => {
    const code = await codeOf('lasting', { granted: 'things' });
    const issued = await useCode('lasting', code);
    expect(issued).toMatchObject({ status: 200, scope: 'things' });
    expect(issued).not.toHaveProperty('refresh_token');
    expect((await get('/things', issued.access_token)).status).toBe(200);
    expect((await get('/others', issued.access_token)).status).toBe(403);
    expect(await useCode('lasting', code)).toEqual({ status: 400, error: 'bad_code' });
  });

  it.each([
    ['bad_code', { code_verifier: 'w'.repeat(43) }],
    ['bad_redirect', { redirect_uri: 'https://other.example/back' }],
    ['bad_client', { client_secret: 'x' }],
  ])('is refused with %s', async (error, more) => {
    const answer = await useCode('lasting', await codeOf('lasting'), more);
    expect(answer).toEqual({ status: 400, error });
  });

  it('is refused from another application, and after a minute', async () => {
    expect((await useCode('expiring', await codeOf('lasting'))).error).toBe('bad_code');
    const code = await codeOf('lasting');
    clock.advance(61);
    expect((await useCode('lasting', code)).error).toBe('bad_code');
  });
});

describe('a token that expires', () => {
  it('is renewed by a refresh token that is taken once, and ends with the renewal', async () => {
    const first = await useCode('expiring', await codeOf('expiring'));
    expect(first).toMatchObject({ expires_in: 600 });
    clock.advance(601);
    expect((await get('/things', first.access_token)).status).toBe(401);
    const second = await refresh(first.refresh_token);
    expect((await get('/things', second.access_token)).status).toBe(200);
    expect(await refresh(first.refresh_token)).toEqual({ status: 400, error: 'bad_refresh' });
    const third = await refresh(second.refresh_token);
    expect((await get('/things', second.access_token)).status).toBe(401);
    engine.revokeGrants();
    expect((await get('/things', third.access_token)).status).toBe(401);
    expect(await refresh(third.refresh_token)).toEqual({ status: 400, error: 'bad_refresh' });
  });
});

describe('the revocation of a token', () => {
  const revoke = async (token: string, more: Record<string, string> = {}) => {
    const { id, secret } = application('expiring');
    const form = { token, client_id: id, client_secret: secret, ...more };
    const { status } = await engine.handle({
      method: 'POST',
      url: `${origin}/revoke`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(new URLSearchParams(form).toString()),
    });
    return status;
  };

  it.each(['access_token', 'refresh_token'] as const)(
    'by its %s ends the whole grant, and no other',
    async (field) => {
      const issued = await useCode('expiring', await codeOf('expiring'));
      const other = await useCode('expiring', await codeOf('expiring'));
      expect(await revoke(issued[field] ?? '')).toBe(200);
      expect((await get('/things', issued.access_token)).status).toBe(401);
      expect(await refresh(issued.refresh_token)).toEqual({ status: 400, error: 'bad_refresh' });
      expect((await get('/things', other.access_token)).status).toBe(200);
    },
  );

  it('is confirmed for an unknown token, and refused from another application', async () => {
    expect(await revoke('unknown')).toBe(200);
    const issued = await useCode('lasting', await codeOf('lasting'));
    expect(await revoke(issued.access_token ?? '')).toBe(200); // it is not of this application
    expect((await get('/things', issued.access_token)).status).toBe(200);
    expect(await revoke(issued.access_token ?? '', { client_secret: 'x' })).toBe(400);
  });
});
