import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { ManagementSchemas } from '#contract';
import { Browser } from './identity-providers/browser.js';
import { selfSigned } from './identity-providers/certificate.js';
import { encode, readAuthnRequest, responseXml, sign } from './identity-providers/saml-answers.js';
import { said, type Said } from './identity-providers/last-page.js';
import { SigningIdp } from './identity-providers/signing-idp.js';
import { addMember } from './members.js';
import { type Service, startService } from './service.js';

let service: Service;
let idp: SigningIdp;
let start: string;
const page = 'https://console.example.com/signed-on?from=spec';

beforeAll(async () => {
  service = await startService();
  idp = await new SigningIdp(service).meet();
  ({ start } = await idp.configure());
  await addMember(service, 'alice@example.test');
});
afterAll(() => service.stop());

const exchange = async (code: unknown, organization = service.administrator.organizationId) => {
  const response = await fetch(`${service.url}/sso/${organization}/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://console.example.com' },
    body: JSON.stringify({ code }),
  });
  return { headers: response.headers, ...said(await asPage(response)) };
};
const asPage = async (response: Response) => ({
  url: response.url,
  status: response.status,
  headers: response.headers,
  text: await response.text(),
});
const accounts = async (token: string) =>
  (await service.call('GET', '/v1/accounts', undefined, token)).status;
/** A change reaches the gateway a moment after the response. */
const soon = (wanted: number, ask: () => Promise<number>) =>
  eventually(async () => expect(await ask()).toBe(wanted));

describe('a page that asks for a sign-on', () => {
  /** Signs on. @returns the address that the browser is redirected to at the end */
  async function returned(state = 'its-state'): Promise<URL> {
    const query = new URLSearchParams({ return_to: page, state });
    const begun = await idp.begin(`${start}?${query.toString()}`);
    const last = await idp.post(begun, idp.response(begun), 'console.example.com');
    return new URL(last.url);
  }

  it('is given a code, which it exchanges once for what a logon answers', async () => {
    const address = await returned();
    expect(`${address.origin}${address.pathname}`).toBe('https://console.example.com/signed-on');
    expect(address.searchParams.get('from')).toBe('spec');
    expect(address.searchParams.get('state')).toBe('its-state');
    const code = address.searchParams.get('code');
    const { status, headers, result } = await exchange(code);
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('https://console.example.com');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(result.member.name).toBe('alice@example.test');
    expect(await accounts(result.token.access.secret)).toBe(200);
    expect(await exchange(code)).toMatchObject({ status: 403 });
  });

  it('is exchanged by the name of the organization too', async () => {
    const { result } = await service.call('GET', '/v1/organization');
    const name = String(result['name']);
    const code = (await returned()).searchParams.get('code');
    expect(await exchange(code, 'nobody-has-this-name')).toMatchObject({ status: 403 });
    expect((await exchange(code, name)).result.member.name).toBe('alice@example.test');
  });

  // "own origin allowed as `return_to`"
  it('may be a page of the service itself', async () => {
    const own = `${service.url}/console/signed-on`;
    const begun = await idp.begin(`${start}?return_to=${encodeURIComponent(own)}`);
    const last = await idp.post(begun, idp.response(begun), '/console/signed-on');
    const code = new URL(last.url).searchParams.get('code');
    expect(last.url).toBe(`${own}?code=${code}`);
    expect((await exchange(code)).result.member.name).toBe('alice@example.test');
  });

  it('is asked by the browser before it calls from another origin', async () => {
    const ask = (origin: string) =>
      fetch(`${service.url}/sso/${service.administrator.organizationId}/exchange`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-headers': 'content-type' },
      });
    const allowed = await ask('https://console.example.com');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://console.example.com');
    expect(allowed.headers.get('access-control-allow-headers')).toBe('content-type');
    const foreign = await ask('https://evil.example.com');
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    'https://evil.example.com/',
    'https://console.example.com.evil.com/',
    'https://console.example.com@evil.com/',
    'http://console.example.com/',
    '//console.example.com/',
    'javascript:alert(1)',
    '/signed-on',
    `https://console.example.com/${'x'.repeat(2_100)}`,
  ])('has to be of an allowed origin: not %s', async (address) => {
    const query = new URLSearchParams({ return_to: address });
    const answer = said(await new Browser().visit(`${start}?${query.toString()}`));
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.message).toContain('return_to');
  });

  it('cannot exchange the code of the step before, which is for the browser that began', async () => {
    const begun = await idp.begin(`${start}?return_to=${encodeURIComponent(page)}`);
    const finish = new URL((await idp.post(begun, idp.response(begun), '/finish')).url);
    const code = finish.searchParams.get('code');
    expect(await exchange(code)).toMatchObject({ status: 403 });
    const stolen = said(await new Browser().visit(finish.href));
    expect(stolen).toMatchObject({ status: 403 });
    const last = await begun.browser.visit(finish.href, 'console.example.com');
    expect(new URL(last.url).searchParams.get('code')).not.toBe(code);
  });

  it('gets nothing for a code of another organization, or for an invalid one', async () => {
    const other = await service.organization('sso-sessions-other');
    const code = (await returned()).searchParams.get('code');
    expect(await exchange(code, other.organizationId)).toMatchObject({ status: 403 });
    expect(await exchange(7)).toMatchObject({ status: 400 });
    expect(await exchange('x'.repeat(200))).toMatchObject({ status: 400 });
    expect(await exchange('x'.repeat(5_000))).toMatchObject({ status: 413 });
    expect(await exchange('unknown')).toMatchObject({ status: 403 });
  });
});

describe('a session by single sign-on', () => {
  const memberPath = (id: string) => `/v1/members/${id}`;

  it('is found by the name of the organization too', async () => {
    const { organizationId } = service.administrator;
    const named = start.replace(organizationId, 'acme');
    expect(await idp.signOn(named, 'alice@example.test')).toMatchObject({ status: 200 });
    const unknown = said(await new Browser().visit(start.replace(organizationId, 'nobody')));
    expect(unknown).toMatchObject({ status: 404 });
  });

  it('is bound over https to a cookie that no neighbouring host can set', async () => {
    const secure = await startService(2, 'https://api.example.com');
    try {
      const there = await new SigningIdp(secure).meet();
      expect(there.addresses.acs_url).toMatch(/^https:\/\/api\.example\.com\/sso\//);
      await addMember(secure, 'alice@example.test');
      const response = await fetch((await there.configure()).start, { redirect: 'manual' });
      const [cookie = ''] = response.headers.getSetCookie();
      expect(cookie).toMatch(
        /^__Host-onefold_sign_on_[\w-]{22}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      );
      const request = readAuthnRequest(response.headers.get('location') ?? '');
      const begun = { browser: new Browser(), request };
      // The proxy in front of the service terminates TLS; the spec connects to the service directly.
      const inside = (url: string) => url.replace('https://api.example.com', secure.url);
      const body = new URLSearchParams({
        SAMLResponse: there.response(begun),
        RelayState: request.relayState,
      });
      const form = { method: 'POST', body, redirect: 'manual' } as const;
      const answered = await fetch(inside(request.acsUrl), form);
      const finish = inside(answered.headers.get('location') ?? '');
      const [pair = ''] = cookie.split(';');
      const status = async (sent: string) =>
        (await fetch(finish, { headers: { cookie: sent } })).status;
      expect(await status(pair.replace('__Host-', ''))).toBe(403);
      expect(await status(pair)).toBe(200);
    } finally {
      await secure.stop();
    }
  });

  it('permits what the roles of the member permit, and ends by logoff', async () => {
    await addMember(service, 'viewer@example.test', { role_binding: ['viewer'] });
    const { result } = await idp.signOn(start, 'Viewer@Example.Test');
    const token = result.token.access.secret;
    expect(await accounts(token)).toBe(200);
    expect((await service.call('POST', '/v1/accounts', {}, token)).status).toBe(403);
    expect((await service.call('POST', '/v1/auth/logoff', undefined, token)).status).toBe(204);
    await soon(401, () => accounts(token));
  });

  it('accepts an invitation', async () => {
    const invited = { options: { options: ['invited'] } };
    const id = await addMember(service, 'invited@example.test', invited);
    expect(await idp.signOn(start, 'invited@example.test')).toMatchObject({ status: 200 });
    expect((await service.call('GET', memberPath(id))).result).toMatchObject({ state: 'enabled' });
  });

  it('is none for members who are disabled, locked, or service members', async () => {
    for (const state of ['disabled', 'locked']) {
      const more = { options: { options: [state] } };
      await addMember(service, `${state}@example.test`, more);
      const answer = await idp.signOn(start, `${state}@example.test`);
      expect({ [state]: answer.status, result: answer.result }).toEqual({ [state]: 401 });
    }
    await addMember(service, 'robot', { type: 'service' });
    expect(await idp.signOn(start, 'robot')).toMatchObject({ status: 403 });
  });

  it('is none once the member is deleted, and for whom is created anew under the address', async () => {
    const id = await addMember(service, 'leaver@example.test');
    const { result } = await idp.signOn(start, 'leaver@example.test');
    expect((await service.call('DELETE', memberPath(id))).status).toBe(204);
    await soon(401, () => accounts(result.token.access.secret));
    expect(await idp.signOn(start, 'leaver@example.test')).toMatchObject({ status: 403 });
    const next = await addMember(service, 'leaver@example.test');
    const again = await idp.signOn(start, 'leaver@example.test');
    expect(again.result.member.id).toBe(next);
  });

  it('"deleting an SSO configuration may prevent members … from accessing the Organization": the sessions it began end', async () => {
    await addMember(service, 'ended@example.test');
    const own = await idp.configure();
    const { result } = await idp.signOn(own.start, 'ended@example.test');
    const other = await idp.signOn(start, 'alice@example.test');
    expect((await service.call('DELETE', `/v1/auth/sso/${own.id}`)).status).toBe(204);
    await soon(401, () => accounts(result.token.access.secret));
    expect(await accounts(other.result.token.access.secret)).toBe(200);
  });

  it('ends, and its identity is forgotten, when the configuration gets another identity provider', async () => {
    await addMember(service, 'moved@example.test');
    const own = await idp.configure();
    const { result } = await idp.signOn(own.start, 'moved@example.test');
    const config = {
      type: 'saml',
      idp_entity_id: 'https://another.example.com',
      idp_sso_url: 'https://another.example.com/sso',
      sp_entity_id: idp.addresses.sp_entity_id,
    };
    const path = `/v1/auth/sso/${own.id}`;
    const changed = await service.call('PUT', path, { fullname: 'Another', config });
    expect(changed.status).toBe(200);
    await soon(401, () => accounts(result.token.access.secret));
  });
});

describe('the audit trail of sign-ons', () => {
  const records = async (path: string) => {
    const filter = encodeURIComponent(`path[like]%/${path}`);
    const query = `?order=created_at[desc]&limit=20&filter=${filter}`;
    const { result } = await service.call('GET', `/v1/audit/organizations${query}`);
    return result as unknown as ManagementSchemas['Audit'][];
  };

  it('has who signed on, from where, and by which configuration', async () => {
    const own = await idp.configure();
    const { result } = await idp.signOn(own.start, 'alice@example.test');
    const [record] = await records('finish');
    expect(record).toMatchObject({
      audit_type: 'API',
      code: '200',
      status: 'succeeded',
      method: 'GET',
      member_id: result.member.id,
      body: { sso_id: own.id },
      remote_addr: '127.0.0.1',
    });
    expect(JSON.stringify(await records('finish'))).not.toContain('code=');
  });

  it('has answers that were refused, with why', async () => {
    const begun = await idp.begin(start);
    const forged = encode(sign(responseXml(idp.parts(begun)), 'Assertion', selfSigned()));
    expect(said(await idp.post(begun, forged)).status).toBe(403);
    expect((await records('saml/acs'))[0]).toMatchObject({
      audit_type: 'ALARM',
      code: 'sso_refused',
      status: 'refused',
      response: expect.stringContaining('the response of the identity provider is not valid'),
    });
    expect((await idp.signOn(start, 'stranger@example.test')).status).toBe(403);
    expect((await records('finish'))[0]).toMatchObject({
      code: 'sso_refused',
      response: expect.stringContaining('no member of the organization has this mail address'),
    });
  });

  it('is not filled by strangers: answers to no sign-on are in it not once, wrong ones to a sign-on three times', async () => {
    const before = (await records('saml/acs')).length;
    const begun = await idp.begin(start);
    const wrong = encode(responseXml(idp.parts(begun)));
    const answers: Said[] = [];
    for (let count = 0; count < 5; count += 1) answers.push(said(await idp.post(begun, wrong)));
    expect(answers.filter(({ message }) => message.includes('is not valid'))).toHaveLength(3);
    expect(said(await idp.post(begun, idp.response(begun))).message).toContain('unknown sign-on');
    expect((await records('saml/acs')).length - before).toBe(3);
  });
});
