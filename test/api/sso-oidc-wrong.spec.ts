import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Browser } from './identity-providers/browser.js';
import {
  type Forgery,
  type ForgingProvider,
  startForgingProvider,
} from './identity-providers/forging-provider.js';
import { said } from './identity-providers/last-page.js';
import { configureOidc } from './identity-providers/openid-provider.js';
import { addMember } from './members.js';
import { type Service, startService } from './service.js';

describe('an OpenID provider that is wrong', () => {
  let service: Service;
  let wrong: ForgingProvider;
  let startWrong: string;
  beforeAll(async () => {
    service = await startService();
    await addMember(service, 'alice@example.test');
    wrong = await startForgingProvider();
    startWrong = await configureOidc(service, wrong);
  });
  beforeEach(() => wrong.forge({}));
  afterAll(async () => {
    await wrong.stop();
    await service.stop();
  });

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
    expect(message).toContain('the response of the identity provider is not valid');
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

  it('is read up to a limit', async () => {
    let writtenBytes = 0;
    wrong.forge({
      instead: (_path, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = () => {
          let hasRoom = true;
          while (hasRoom && !response.destroyed) {
            writtenBytes += 65_536;
            hasRoom = response.write(' '.repeat(65_536));
          }
        };
        response.on('drain', more);
        more();
        return true;
      },
    });
    expect(said(await new Browser().visit(startWrong)).status).toBe(502);
    expect(writtenBytes).toBeLessThan(32 * 1_048_576); // 1 MB is read, and the buffers of the sockets hold some more.
  });

  it('may change its key between two sign-ons', async () => {
    expect(said(await new Browser().visit(startWrong)).status).toBe(200);
    wrong.changeKey();
    expect(said(await new Browser().visit(startWrong)).status).toBe(200);
  });
});
