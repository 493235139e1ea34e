import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationFake } from '#test/harness';
import { type Service, startService } from '../api/service.js';

interface Begun {
  authorization: { id: string };
  authorize_url: string;
}

let slack: AuthorizationFake;
/** One without TLS, and one behind a proxy that ends it. */
const services: Record<string, Service> = {};
beforeAll(async () => {
  slack = await AuthorizationFake.start('slack');
  services['http'] = await startService();
  services['https'] = await startService(2, 'https://onefold.example.com');
});
afterAll(async () => {
  await slack.stop();
  for (const service of Object.values(services)) await service.stop();
});

describe.each(['http', 'https'])('an authorization at a provider, over %s', (scheme) => {
  let service: Service;
  let begin: () => Promise<Begun>;
  let statusOf: (begun: Begun) => Promise<string>;
  /** The address within the service, which is not reached by its public one here. */
  const local = (address: string) =>
    `${service.url}${new URL(address).pathname}${new URL(address).search}`;

  beforeAll(async () => {
    service = services[scheme] as Service;
    const make = async <Result>(path: string, body: object) => {
      const { status, message, result } = await service.call<Result>('POST', path, body);
      expect([status, message]).toEqual([200, '']);
      return result;
    };
    const { account } = await make<{ account: { id: string } }>('/v1/accounts', { name: 'a' });
    const environments = { test: ['*'], prod: ['*'] };
    const made = { name: 'talk', connector: 'chat', environments };
    const point = await make<{ id: string }>('/v1/integration-points', made);
    const { id: client_id, secret: client_secret } = slack.application('lasting');
    const config = {
      type: 'o_auth_client',
      client_id,
      client_secret,
      token_url: `${slack.url}/api/oauth.v2.access`,
      extra: { authorize_url: `${slack.url}/oauth/v2/authorize` },
    };
    await make(`/v1/credentials/${point.id}`, { name: 'chat_slack', config });
    const path = `/v1/connect/${account.id}/authorizations`;
    const body = { integration_point_id: point.id, provider: 'chat_slack' };
    begin = () => make<Begun>(path, body);
    statusOf = async ({ authorization }) =>
      (await service.call<{ status: string }>('GET', `${path}/${authorization.id}`)).result.status;
  });

  /** Decides on the provider's page, in whatever browser. @returns the address that the browser is sent back to */
  async function decide(page: string): Promise<string> {
    const url = new URL(page);
    url.searchParams.set('decision', 'allow');
    const { headers } = await fetch(url, { redirect: 'manual' });
    return local(headers.get('location') ?? '');
  }

  it('is bound to the browser that opened the page where it begins', async () => {
    const begun = await begin();
    const address = local(begun.authorize_url);
    const { headers } = await fetch(address, { redirect: 'manual' });
    const [cookie = '', ...attributes] = headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax']));
    expect(attributes.includes('Secure')).toBe(scheme === 'https');
    expect(cookie.startsWith('__Host-')).toBe(scheme === 'https');
    const back = await decide(headers.get('location') ?? '');
    const exchanges = slack.exchanges;
    const other = await openOther();
    const others = [
      {},
      { cookie: other },
      { cookie: cookie.replace(/=.*/, '=') },
      { cookie: `${cookie}x` },
      // A sibling subdomain can set one without the prefix.
      ...(scheme === 'https' ? [{ cookie: cookie.replace('__Host-', '') }] : []),
    ];
    for (const sent of others) expect((await fetch(back, { headers: sent })).status).toBe(400);
    expect([await statusOf(begun), slack.exchanges]).toEqual(['pending', exchanges]);
    expect((await fetch(back, { headers: { cookie } })).status).toBe(200);
    expect(await statusOf(begun)).toBe('granted');
  });

  /** The cookie of another authorization. */
  async function openOther(): Promise<string> {
    const { headers } = await fetch(local((await begin()).authorize_url), { redirect: 'manual' });
    return headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }

  it.each(['cross-site', 'same-site', 'none'])(
    'asks a person whom a page that is %s has led there',
    async (site) => {
      const address = local((await begin()).authorize_url);
      const led = await fetch(address, {
        redirect: 'manual',
        headers: { 'sec-fetch-site': site, 'accept-language': 'de' },
      });
      const text = await led.text();
      expect([led.status, led.headers.getSetCookie()]).toEqual([200, []]);
      expect(text).toContain(`Daten bei ${new URL(slack.url).host}`);
      const [, href = ''] = /<a href="([^"]*)">Weiter</.exec(text) ?? [];
      const headers = { 'sec-fetch-site': 'same-origin' };
      const next = await fetch(new URL(href, address), { redirect: 'manual', headers });
      expect(next.headers.get('location')).toMatch(`${slack.url}/oauth/v2/authorize?`);
    },
  );

  it('is not bound by programs that look at links', async () => {
    const address = local((await begin()).authorize_url);
    const { headers } = await fetch(address, { method: 'HEAD', redirect: 'manual' });
    expect(headers.getSetCookie()).toEqual([]);
  });

  it.each(['', '?state=', '?state=x', `?state=org.${'a'.repeat(43)}`, '?state=%00'])(
    'that does not exist leads nowhere: %j',
    async (search) => {
      const address = `${service.url}/connect/oauth/begin${search}`;
      const { status, headers } = await fetch(address, { redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([400, null]);
    },
  );
});

describe('the application of a host at a provider', () => {
  let service: Service;
  beforeAll(() => {
    service = services['http'] as Service;
  });

  async function pointWith(config: object) {
    const environments = { test: ['*'], prod: ['*'] };
    const body = { connector: 'chat', environments };
    const point = await service.call<{ id: string }>('POST', '/v1/integration-points', body);
    const stored = await service.call('POST', `/v1/credentials/${point.result.id}`, {
      name: 'chat_slack',
      config: { type: 'o_auth_client', client_id: 'a', client_secret: 'b', ...config },
    });
    return { point: point.result.id, stored };
  }

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://a:b@c.example/'])(
    'sends no browser to %s',
    async (address) => {
      for (const name of ['authorize_url', 'revoke_url']) {
        const { stored } = await pointWith({ extra: { [name]: address } });
        expect([stored.status, stored.message]).toEqual([400, expect.stringContaining(name)]);
      }
    },
  );

  it('gets no codes of the application of another host, to which the page of the provider leads', async () => {
    const { point, stored } = await pointWith({ token_url: `${slack.url}/stolen` });
    expect(stored.status).toBe(200);
    const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
    const path = `/v1/connect/${result.account.id}/authorizations`;
    const body = { integration_point_id: point, provider: 'chat_slack' };
    const begun = await service.call('POST', path, body);
    expect([begun.status, begun.message]).toEqual([409, expect.stringContaining('one server')]);
  });
});
