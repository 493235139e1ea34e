import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Result } from '#contract';
import { Browser } from './identity-providers/browser.js';
import { said } from './identity-providers/last-page.js';
import {
  configureOidc,
  type OpenidProvider,
  startOpenidProvider,
} from './identity-providers/openid-provider.js';
import { addMember } from './members.js';
import { type Service, startService } from './service.js';

let service: Service;
let provider: OpenidProvider;
let start: string;
const claimsOf = new Map<string, Record<string, unknown>>();

beforeAll(async () => {
  service = await startService();
  const { result } = await service.call('GET', '/v1/auth/meta');
  const { redirect_uri } = (result as Result<'auth_get_sso_metadata'>['result']).oidc ?? {};
  const claims = (login: string) =>
    claimsOf.get(login) ?? { email: `${login}@example.test`, email_verified: true, name: login };
  provider = await startOpenidProvider(redirect_uri ?? '', claims);
  start = await configureOidc(service, provider);
  for (const name of ['alice', 'bob', 'carol']) await addMember(service, `${name}@example.test`);
});
afterAll(async () => {
  await provider.stop();
  await service.stop();
});

/** Logs on at the provider as a person would. @param stopAt stops before it opens an address that contains this text */
async function logOn(browser: Browser, login: string, from = start, stopAt?: string) {
  let page = await browser.visit(from, stopAt);
  if (page.text.includes('name="login"'))
    page = await browser.submit(page, { login, password: 'any' }, stopAt);
  if (page.text.includes('value="consent"')) page = await browser.submit(page, {}, stopAt);
  return page;
}

describe('single sign-on by OpenID Connect', () => {
  it('signs a member in: authorization code, PKCE, and back in the same browser', async () => {
    const browser = new Browser();
    const page = await logOn(browser, 'alice');
    const { status, result } = said(page);
    expect({ status, result }).toMatchObject({
      status: 200,
      result: { auth_code: 'success', member: { name: 'alice@example.test' } },
    });
    expect(page.headers.get('cache-control')).toBe('no-store');
    const mine = await service.call('GET', '/v1/accounts', undefined, result.token.access.secret);
    expect(mine.status).toBe(200);
    expect(browser.cookies(service.url)).toEqual([]);
  });

  it('asks with state, nonce and an S256 challenge, and keeps the browser in mind', async () => {
    const page = await new Browser().visit(start, provider.issuer);
    const { searchParams } = new URL(page.url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'onefold',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{22}$/),
      redirect_uri: `${service.url}/sso/${service.administrator.organizationId}/oidc/callback`,
    });
    expect(page.headers.get('set-cookie')).toMatch(
      /^onefold_sign_on_[\w-]{22}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  it('knows a key the provider has changed since', async () => {
    const browser = new Browser();
    const callback = await logOn(browser, 'bob', start, '/oidc/callback');
    expect(said(await browser.visit(callback.url)).status).toBe(200);
    await provider.changeKey();
    expect(said(await logOn(new Browser(), 'bob')).status).toBe(200);
  });

  it('takes the client secret to the token endpoint as the provider wants it', async () => {
    const redirect = `${service.url}/sso/${service.administrator.organizationId}/oidc/callback`;
    for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
      const strict = await startOpenidProvider(
        redirect,
        () => ({ email: 'carol@example.test', email_verified: true }),
        { token_endpoint_auth_method: method },
      );
      const page = await logOn(
        new Browser(),
        `carol-${method}`,
        await configureOidc(service, strict),
      );
      expect(said(page)).toMatchObject({ status: 200 });
      await strict.stop();
    }
  });

  it('refuses an answer that comes twice', async () => {
    const browser = new Browser();
    const callback = await logOn(browser, 'alice', start, '/oidc/callback');
    const finish = await browser.visit(callback.url, '/finish');
    expect(said(await browser.visit(callback.url)).status).toBe(403);
    expect(said(await browser.visit(finish.url)).status).toBe(200);
    expect(said(await browser.visit(finish.url)).status).toBe(403);
  });

  it('does not go on by a request that only looks', async () => {
    const browser = new Browser();
    const callback = await logOn(browser, 'alice', start, '/oidc/callback');
    expect((await fetch(callback.url, { method: 'HEAD' })).status).toBe(405);
    const finish = await browser.visit(callback.url, '/finish');
    expect((await fetch(finish.url, { method: 'HEAD' })).status).toBe(405);
    expect(said(await browser.visit(finish.url)).status).toBe(200);
  });

  it('lets one of two answers at one moment through', async () => {
    const browser = new Browser();
    const callback = await logOn(browser, 'alice', start, '/oidc/callback');
    const both = await Promise.all([browser.visit(callback.url), browser.visit(callback.url)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it('refuses an answer in another browser than began, and keeps it good in the right one', async () => {
    const browser = new Browser();
    const callback = await logOn(browser, 'alice', start, '/oidc/callback');
    expect(said(await new Browser().visit(callback.url)).message).toContain('unknown sign-on');
    const finish = await browser.visit(callback.url, '/finish');
    expect(said(await new Browser().visit(finish.url)).status).toBe(403);
    expect(said(await browser.visit(finish.url)).status).toBe(200);
  });

  it('refuses an answer at the address of another organization', async () => {
    const other = await service.organization('sso-oidc-other');
    const browser = new Browser();
    const callback = await logOn(browser, 'alice', start, '/oidc/callback');
    const { organizationId } = service.administrator;
    const moved = callback.url.replace(organizationId, other.organizationId);
    expect(said(await browser.visit(moved)).status).toBe(403);
  });

  it('refuses unknown states', async () => {
    const callback = `${service.url}/sso/${service.administrator.organizationId}/oidc/callback`;
    const browser = new Browser();
    for (const query of ['', '?state=x', '?state=a&state=b', '?code=x&state='])
      expect(said(await browser.visit(`${callback}${query}`)).status).toBe(400);
    const unknown = `${callback}?code=x&state=${'a'.repeat(22)}`;
    expect(said(await browser.visit(unknown)).status).toBe(403);
  });

  it('says what the provider says when it refuses', async () => {
    const browser = new Browser();
    const page = await browser.visit(start, provider.issuer);
    const state = new URL(page.url).searchParams.get('state') ?? '';
    const callback = `${service.url}/sso/${service.administrator.organizationId}/oidc/callback`;
    const answer = `${callback}?error=access_denied&state=${state}&iss=${provider.issuer}`;
    expect(said(await browser.visit(answer))).toMatchObject({
      status: 403,
      message: expect.stringContaining('access_denied'),
    });
  });

  it('refuses people who are not members, and those without a verified mail address', async () => {
    expect(said(await logOn(new Browser(), 'nobody'))).toMatchObject({
      status: 403,
      message: expect.stringContaining('no member of the organization has this mail address'),
    });
    claimsOf.set('unverified', { email: 'alice@example.test', email_verified: false });
    claimsOf.set('silent', {});
    for (const login of ['unverified', 'silent'])
      expect(said(await logOn(new Browser(), login))).toMatchObject({
        status: 403,
        message: expect.stringContaining('no verified mail address'),
      });
  });

  it('remembers who signed on: a changed mail stays the member, and a mail handed on opens nothing', async () => {
    const id = await addMember(service, 'dora@example.test');
    expect(said(await logOn(new Browser(), 'dora')).result.member.id).toBe(id);
    claimsOf.set('dora', { email: 'dora.new@example.test', email_verified: true });
    expect(said(await logOn(new Browser(), 'dora')).result.member.id).toBe(id);
    claimsOf.set('successor', { email: 'dora@example.test', email_verified: true });
    expect(said(await logOn(new Browser(), 'successor'))).toMatchObject({
      status: 403,
      message: expect.stringContaining('another identity'),
    });
  });

  it('ends sign-ons on their way when the configuration changes or goes', async () => {
    const own = await configureOidc(service, provider);
    const path = `/v1/auth/sso/${own.split('/').at(-1)}`;
    const [changing, going] = [new Browser(), new Browser()];
    const [first, second] = [
      await logOn(changing, 'alice', own, '/oidc/callback'),
      await logOn(going, 'alice', own, '/oidc/callback'),
    ];
    const config = { type: 'oidc', issuer_url: provider.issuer, ...provider.client };
    await service.call('PUT', path, { fullname: 'Changed', config });
    expect(said(await changing.visit(first.url)).status).toBe(403);
    expect((await service.call('DELETE', path)).status).toBe(204);
    expect(said(await going.visit(second.url)).status).toBe(403);
    expect(said(await going.visit(own)).status).toBe(404);
  });
});
