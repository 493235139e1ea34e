import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anonymousRate } from '#apps/gateway';
import type { Problem } from '#contract';
import { type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService(5, undefined, 1); // behind one proxy
}, 60_000);
afterAll(() => service.stop());

/** All requests without a token for which the database is asked. */
const doors: [string, string, string][] = [
  ['the start of a sign-on', 'GET', '/sso/org_a/start/sso_a'],
  ['the callback of OpenID Connect', 'GET', `/sso/org_a/oidc/callback?state=${'s'.repeat(22)}`],
  ['the response of SAML', 'POST', '/sso/org_a/saml/acs'],
  ['the metadata of SAML', 'GET', '/sso/org_a/saml/metadata'],
  ['the end of a sign-on', 'GET', `/sso/org_a/finish?sign_on=${'s'.repeat(22)}&code=c`],
  ['the exchange of its code', 'POST', '/sso/org_a/exchange'],
  ['the page of the Connect UI', 'GET', '/connect/nobody/'],
  ["the return from a provider's page", 'GET', '/connect/oauth/callback?code=c&state=s'],
  ['the sign-ons of a logon page', 'GET', '/v1/auth/logon/org_a/sso'],
  ['a logon', 'POST', '/v1/auth/logon/org_a'],
];

async function send(method: string, path: string, forwardedFor: string): Promise<Response> {
  return await fetch(`${service.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'x-forwarded-for': forwardedFor },
  });
}

/** Sends more than the rate allows, again and again until a request is refused. */
async function findRefusal(method: string, path: string, address: string): Promise<Response> {
  for (let round = 0; round < 100; round += 1) {
    const requests = Array.from({ length: anonymousRate.perSecond * 2 }, (_, n) =>
      // The proxy adds the last address; those before it are from the client and do not count.
      send(method, path, `198.51.100.${n}, ${address}`),
    );
    const refused = (await Promise.all(requests)).find(({ status }) => status === 429);
    if (refused !== undefined) return refused;
  }
  throw new Error(`${method} ${path} was never refused`);
}

describe('an address that sends too much without a token', () => {
  it.each(doors)(
    'is refused for a while at %s, and no other address is',
    async (_, method, path) => {
      const refused = await findRefusal(method, path, '2001:db8:0:1::1');
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.headers.get('content-type')).toBe('application/json');
      const problem = (await refused.json()) as Problem;
      expect(problem).toMatchObject({
        status: 429,
        message: 'too many requests without a token came from this address',
      });
      // The other half of the same /64 counts as the same address; another block does not.
      expect((await findRefusal(method, path, '2001:db8:0:1:8000::9')).status).toBe(429);
      expect((await send(method, path, '2001:db8:0:2::1')).status).not.toBe(429);
    },
  );

  it('still gets what the database is not asked for', async () => {
    const address = '192.0.2.1';
    await findRefusal('GET', '/connect/nobody/', address);
    for (const path of ['/connect/', '/connect/embed-1.js', '/connect.js'])
      expect((await send('GET', path, address)).status).toBeLessThan(400);
  });
});
