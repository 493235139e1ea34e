import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Result } from '#contract';
import { Browser, type Page } from './identity-providers/browser.js';
import {
  type Forgery,
  type ForgingProvider,
  startForgingProvider,
} from './identity-providers/forging-provider.js';
import { type OpenidProvider, startOpenidProvider } from './identity-providers/openid-provider.js';
import { addMember } from './members.js';
import { type Service, startService } from './service.js';

let service: Service;
let provider: OpenidProvider;
let start: string;
const told = new Map<string, Record<string, unknown>>();

beforeAll(async () => {
  service = await startService();
  const { result } = await service.call('GET', '/v1/auth/meta');
  const { redirect_uri } = (result as Result<'auth_get_sso_metadata'>['result']).oidc ?? {};
  const claims = (login: string) =>
    told.get(login) ?? { email: `${login}@example.test`, email_verified: true, name: login };
  provider = await startOpenidProvider(redirect_uri ?? '', claims);
  start = await configure(provider);
  for (const name of ['alice', 'bob', 'carol']) await addMember(service, `${name}@example.test`);
});
afterAll(async () => {
  await provider.stop();
  await service.stop();
});

type Known = Pick<OpenidProvider, 'issuer' | 'client'>;

async function configure({ issuer, client }: Known): Promise<string> {
  const config = { type: 'oidc', issuer_url: issuer, ...client };
  const made = await service.call('POST', '/v1/auth/sso', { fullname: 'Loopback', config });
  return startOf(String(made.result['id']));
}
const startOf = (sso: string) =>
  `${service.url}/sso/${service.administrator.organizationId}/start/${sso}`;

/** Logs on at the provider as a person would. @param stopAt ends before an address is opened. */
async function logOn(browser: Browser, login: string, from = start, stopAt?: string) {
  let page = await browser.visit(from, stopAt);
  if (page.text.includes('name="login"'))
    page = await browser.submit(page, { login, password: 'any' }, stopAt);
  if (page.text.includes('value="consent"')) page = await browser.submit(page, {}, stopAt);
  return page;
}

interface Said {
  result: { token: { access: { secret: string } }; member: { id: string; name: string } };
  message: string;
}
const said = ({ status, text }: Page) => {
  const { message, result } = JSON.parse(text) as Said;
  return { status, message, result };
};

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
      const page = await logOn(new Browser(), `carol-${method}`, await configure(strict));
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

  it('lets one of two answers at one moment through', async () => {
    const browser = new Browser();
    const callback = await logOn(browser, 'alice', start, '/oidc/callback');
    const both = await Promise.all([browser.visit(callback.url), browser.visit(callback.url)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it('refuses an answer in another browser than began, and keeps it good in the right one', async () => {
    const browser = new Browser();
    const callback = await logOn(browser, 'alice', start, '/oidc/callback');
    expect(said(await new Browser().visit(callback.url)).message).toContain('no such sign-on');
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

  it('refuses states nobody was given', async () => {
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

  it('refuses who is no member, whose mail is unverified, and who tells no mail', async () => {
    expect(said(await logOn(new Browser(), 'nobody'))).toMatchObject({
      status: 403,
      message: expect.stringContaining('nobody with this mail address'),
    });
    told.set('unverified', { email: 'alice@example.test', email_verified: false });
    told.set('silent', {});
    for (const login of ['unverified', 'silent'])
      expect(said(await logOn(new Browser(), login))).toMatchObject({
        status: 403,
        message: expect.stringContaining('no verified mail address'),
      });
  });

  it('remembers who signed on: a changed mail stays the member, and a mail handed on opens nothing', async () => {
    const id = await addMember(service, 'dora@example.test');
    expect(said(await logOn(new Browser(), 'dora')).result.member.id).toBe(id);
    told.set('dora', { email: 'dora.new@example.test', email_verified: true });
    expect(said(await logOn(new Browser(), 'dora')).result.member.id).toBe(id);
    told.set('successor', { email: 'dora@example.test', email_verified: true });
    expect(said(await logOn(new Browser(), 'successor'))).toMatchObject({
      status: 403,
      message: expect.stringContaining('another identity'),
    });
  });

  it('ends sign-ons on their way when the configuration changes or goes', async () => {
    const own = await configure(provider);
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

describe('an OpenID provider that is wrong', () => {
  let wrong: ForgingProvider;
  let startWrong: string;
  beforeAll(async () => {
    wrong = await startForgingProvider();
    startWrong = await configure(wrong);
  });
  beforeEach(() => wrong.forge({}));
  afterAll(() => wrong.stop());

  const now = () => Math.floor(Date.now() / 1_000);
  const tamper = (token: string) => {
    const [header, , signature] = token.split('.');
    const claims = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    const other = JSON.stringify({ ...claims, email: 'bob@example.test' });
    return `${header}.${Buffer.from(other).toString('base64url')}.${signature}`;
  };

  it('signs in when it does everything right, which the refusals below are measured by', async () => {
    expect(said(await new Browser().visit(startWrong))).toMatchObject({
      status: 200,
      result: { member: { name: 'alice@example.test' } },
    });
  });

  const forgeries: [string, Forgery][] = [
    ['another nonce', { claims: (claims) => ({ ...claims, nonce: 'x'.repeat(43) }) }],
    ['no nonce', { claims: ({ nonce: _none, ...claims }) => claims }],
    ['another audience', { claims: (claims) => ({ ...claims, aud: 'somebody-else' }) }],
    ['another issuer', { claims: (claims) => ({ ...claims, iss: 'https://id.example.com' }) }],
    ['a time that is over', { claims: (claims) => ({ ...claims, exp: now() - 120 }) }],
    ['no end', { claims: ({ exp: _none, ...claims }) => claims }],
    ['no subject', { claims: ({ sub: _none, ...claims }) => claims }],
    ['a foreign authorized party', { claims: (c) => ({ ...c, aud: ['onefold', 'x'], azp: 'x' }) }],
    ['claims changed after signing', { token: tamper }],
    ['the signature cut off', { token: (token) => token.replace(/[^.]+$/, '') }],
    ['a foreign key', { signedBy: 'foreign key' }],
    ['a key nobody published', { header: { kid: 'key-of-nobody' } }],
    ['the client secret as key', { signedBy: 'client secret' }],
    ['no signature', { signedBy: 'nobody' }],
    ['an algorithm it did not announce', { header: { alg: 'RS512' } }],
    ['a critical extension', { header: { crit: ['x'], x: 1 } }],
  ];
  it.each(forgeries)('is refused with an ID token of %s', async (_what, forgery) => {
    wrong.forge(forgery);
    const { status, message, result } = said(await new Browser().visit(startWrong));
    expect({ status, result }).toEqual({ status: 403, result: undefined });
    expect(message).toContain('the answer of the identity provider is refused');
  });

  it('is refused when its user information is about somebody else', async () => {
    wrong.forge({
      claims: ({ email: _none, ...claims }) => claims,
      userinfo: { sub: 'eve', email: 'alice@example.test', email_verified: true },
    });
    expect(said(await new Browser().visit(startWrong)).status).toBe(403);
  });

  it('is refused without ID token, and when it does not take the code', async () => {
    const insteadOfToken = (status: number, body: object): Forgery => ({
      instead: (path, response) => {
        if (path !== '/token') return false;
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
        return true;
      },
    });
    wrong.forge(insteadOfToken(200, { access_token: 'x', token_type: 'Bearer' }));
    expect(said(await new Browser().visit(startWrong)).status).toBe(403);
    wrong.forge(insteadOfToken(400, { error: 'invalid_grant' }));
    expect(said(await new Browser().visit(startWrong))).toMatchObject({
      status: 403,
      message: expect.stringContaining('invalid_grant'),
    });
  });

  it('is not believed to be another issuer, and not followed to other places', async () => {
    wrong.forge({ discovery: { issuer: 'https://id.example.com' } });
    expect(said(await new Browser().visit(startWrong)).status).toBe(502);
    wrong.forge({ discovery: { token_endpoint: 'http://10.0.0.1/token' } });
    expect(said(await new Browser().visit(startWrong)).status).toBe(502);
    wrong.forge({ discovery: { jwks_uri: 'http://169.254.169.254/jwks' } });
    expect(said(await new Browser().visit(startWrong)).status).toBe(502);
    wrong.forge({
      instead: (_path, response) => {
        response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
        return true;
      },
    });
    expect(said(await new Browser().visit(startWrong)).status).toBe(502);
  });

  it('is not read without end', async () => {
    wrong.forge({
      instead: (_path, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = () => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
        };
        response.on('drain', more);
        more();
        return true;
      },
    });
    const begin = Date.now();
    expect(said(await new Browser().visit(startWrong)).status).toBe(502);
    expect(Date.now() - begin).toBeLessThan(8_000); // sooner than its time is over
  });

  it('may change its key between two sign-ons', async () => {
    expect(said(await new Browser().visit(startWrong)).status).toBe(200);
    wrong.changeKey();
    expect(said(await new Browser().visit(startWrong)).status).toBe(200);
  });
});
