import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '#contract';
import { type Service, startService } from '../api/service.js';
import { createMockToken } from './mock-integration.js';

let service: Service;
let tokens: { management: string; connector: string };
beforeAll(async () => {
  service = await startService();
  tokens = {
    management: service.administrator.access,
    connector: await createMockToken(service),
  };
});
afterAll(() => service.stop());

async function send(method: string, path: string, body?: string, token = tokens.management) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const problem = (text.startsWith('{') ? JSON.parse(text) : {}) as {
    message?: string;
    context?: { parameter?: { id: string; location: string } };
  };
  return { status: response.status, ...problem.context?.parameter, message: problem.message };
}

const served = [...operations.values()].filter(({ state }) => state === 'served');
const withPath = served.filter(({ path, method }) => path.includes('{') && method === 'GET');

describe('U+0000', () => {
  it.each(withPath.map(({ id }) => id))('in a path of %s is a 400 with its place', async (id) => {
    const { path, side, group } = operations.get(id) as {
      path: string;
      side: string;
      group: string;
    };
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const name of names) {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, one) => (one === name ? 'a%00b' : 'x'));
      const token = side === 'connector' ? tokens.connector : tokens.management;
      const { status, id: place } = await send('GET', address, undefined, token);
      if (status === 403 && group !== 'ticketing') continue; // The integration is one of another domain.
      expect([address, status, place]).toEqual([address, 400, name]);
    }
  });

  it.each([
    ['start_after', '/v1/accounts?start_after=%00'],
    ['filter', '/v1/accounts?filter=name%5Beq%5Da%00'],
    ['order', '/v1/accounts?order=name%00'],
    ['cursor', '/v1/ticketing/tickets?cursor=%00'],
    ['meta', '/v1/ticketing/tickets?meta=stats/count(%00)'],
  ])('in the query parameter %s is a 400 with its place', async (name, path) => {
    const token = path.includes('ticketing') ? tokens.connector : tokens.management;
    expect(await send('GET', path, undefined, token)).toMatchObject({ status: 400, id: name });
  });

  it.each([
    ['/fullname', '/v1/accounts', String.raw`{"fullname":"a\u0000b"}`],
    ['/labels/1', '/v1/accounts', String.raw`{"labels":["a","\u0000"]}`],
    ['/config/secret', '/v1/credentials/x', String.raw`{"config":{"secret":"\u0000"}}`],
    ['', '/v1/accounts', String.raw`{"\u0000":1}`],
  ])('in a body at %s is a 400 with its place', async (pointer, path, body) => {
    expect(await send('POST', path, body)).toMatchObject({
      status: 400,
      id: pointer,
      location: 'body',
      message: expect.stringContaining('U+0000'),
    });
  });

  it('in an address of single sign-on does not make the service fail', async () => {
    const { organizationId } = service.administrator;
    for (const path of [
      '/sso/%00/start/x',
      `/sso/${organizationId}/start/%00`,
      `/sso/${organizationId}/start/x?state=%00`,
      `/sso/${organizationId}/oidc/callback?state=%00`,
      '/sso/%00/oidc/callback?state=abcdefghijklmnopqrstuv',
      '/sso/%00/saml/metadata',
      `/sso/${organizationId}/finish?sign_on=abcdefghijklmnopqrstuv&code=%00`,
      '/sso/%00/finish?sign_on=abcdefghijklmnopqrstuv&code=a',
      '/sso/%ff/saml/metadata',
    ])
      expect([path, (await send('GET', path)).status]).toEqual([path, 400]);
    // XML has no control characters, and the metadata name the organization.
    const metadata = ['/sso/%01%1F/saml/metadata', '/sso/nobody/saml/metadata'];
    for (const path of metadata)
      expect([path, (await send('GET', path)).status]).toEqual([path, 404]);
    expect((await send('POST', '/sso/%00/exchange', '{"code":"a"}')).status).toBe(400);
    const code = String.raw`{"code":"\u0000"}`;
    expect((await send('POST', `/sso/${organizationId}/exchange`, code)).status).toBe(400);
  });
});

describe('half of a surrogate pair', () => {
  it.each([
    ['/fullname', '/v1/accounts', String.raw`{"fullname":"a\ud800"}`],
    ['/labels/0', '/v1/accounts', String.raw`{"labels":["\udc00\ud800"]}`],
  ])('in a body at %s is a 400 with its place', async (pointer, path, body) => {
    expect(await send('POST', path, body)).toMatchObject({ status: 400, id: pointer });
  });

  it('in a record of a connector is a 400 with its place, before a provider hears of it', async () => {
    const body = String.raw`{"name":"\ud83d","summary":"s"}`;
    expect(await send('POST', '/v1/ticketing/tickets', body, tokens.connector)).toMatchObject({
      status: 400,
      id: '/name',
    });
  });

  it('in a path, percent-encoded, is a 400 with its place', async () => {
    expect(await send('GET', '/v1/accounts/%ED%A0%80')).toMatchObject({
      status: 400,
      id: 'accountId',
    });
  });
});
