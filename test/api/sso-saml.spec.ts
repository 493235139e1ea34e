import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from './identity-providers/browser.js';
import { selfSigned } from './identity-providers/certificate.js';
import {
  assertionXml,
  encode,
  type Parts,
  responseXml,
  sign,
  time,
} from './identity-providers/saml-answers.js';
import { refusedAnswer, said } from './identity-providers/last-page.js';
import { SigningIdp } from './identity-providers/signing-idp.js';
import { wrappings } from './identity-providers/wrapped-answers.js';
import { addMember } from './members.js';
import { type Service, startService } from './service.js';

let service: Service;
let idp: SigningIdp;
const stranger = selfSigned();

beforeAll(async () => {
  service = await startService(5, undefined, 1);
  idp = await new SigningIdp(service).meet();
  for (const name of ['alice', 'bob']) await addMember(service, `${name}@example.test`);
});
afterAll(() => service.stop());

describe('single sign-on by SAML 2.0', () => {
  let start: string;
  beforeAll(async () => {
    ({ start } = await idp.configure());
  });

  /** Signs on with a response whose parts are changed before and after it is signed. */
  async function answer(
    change: Partial<Parts> | ((parts: Parts) => Partial<Parts>) = {},
    finish: (xml: string) => string = (xml) => sign(xml, 'Assertion', idp.keys),
  ) {
    const begun = await idp.begin(start);
    const parts = idp.parts(begun);
    const changed = { ...parts, ...(typeof change === 'function' ? change(parts) : change) };
    return said(await idp.post(begun, encode(finish(responseXml(changed)))));
  }

  it('sends the browser there with a request of ours', async () => {
    const { request } = await idp.begin(start);
    expect(request).toEqual({
      id: `_${request.relayState}`,
      acsUrl: idp.addresses.acs_url,
      issuer: idp.addresses.sp_entity_id,
      destination: 'https://idp.example.com/sso',
      relayState: expect.stringMatching(/^[\w-]{22}$/),
    });
  });

  it('publishes metadata for the identity provider', async () => {
    const response = await fetch(idp.addresses.sp_entity_id);
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe('application/samlmetadata+xml');
    expect(text).toContain(`entityID="${idp.addresses.sp_entity_id}"`);
    expect(text).toContain(`Location="${idp.addresses.acs_url}"`);
    expect(await (await fetch(idp.addresses.sp_entity_id)).text()).toBe(text);
  });

  it.each([
    ['a signed assertion', (xml: string) => sign(xml, 'Assertion', idp.keys)],
    ['a signed response', (xml: string) => sign(xml, 'Response', idp.keys)],
    ['both signed', (xml: string) => sign(sign(xml, 'Assertion', idp.keys), 'Response', idp.keys)],
    [
      'SHA-512',
      (xml: string) =>
        sign(xml, 'Assertion', {
          ...idp.keys,
          signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
          digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
        }),
    ],
  ])('signs a member in by %s', async (_what, finish) => {
    const { status, result } = await answer({}, finish);
    expect({ status, result }).toMatchObject({
      status: 200,
      result: { auth_code: 'success', member: { name: 'alice@example.test' } },
    });
    const mine = await service.call('GET', '/v1/accounts', undefined, result.token.access.secret);
    expect(mine.status).toBe(200);
  });

  it('takes any of several certificates, as while keys change', async () => {
    const { start: two } = await idp.configure({
      idp_certificate: `${stranger.certificate}${idp.keys.certificate}`,
    });
    for (const { key } of [idp.keys, stranger]) {
      const begun = await idp.begin(two);
      const xml = sign(responseXml(idp.parts(begun)), 'Response', { key });
      expect(said(await idp.post(begun, encode(xml))).status).toBe(200);
    }
  });

  it('finds the member by an attribute if the NameID is not a mail address, and by the NameID from then on', async () => {
    const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
    const { start: own } = await idp.configure({ name_id_format: persistent });
    const signOn = async (attributes: string) => {
      const begun = await idp.begin(own);
      const changed = { nameId: 'a-persistent-name', nameIdFormat: persistent, attributes };
      const xml = responseXml({ ...idp.parts(begun), ...changed });
      return said(await idp.post(begun, encode(sign(xml, 'Assertion', idp.keys))));
    };
    const mail = (address: string) =>
      `<saml:AttributeStatement><saml:Attribute Name="mail"><saml:AttributeValue>${address}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`;
    expect((await signOn('')).message).toContain('no verified mail address');
    const first = await signOn(mail('alice@example.test'));
    expect(first).toMatchObject({ status: 200 });
    const later = await signOn(mail('somebody.else@example.test'));
    expect(later.result.member.id).toBe(first.result.member.id);
  });

  it('limits the number of sign-ons that are not finished', async () => {
    const crowded = await service.organization('sso-saml-crowded');
    const { start: theirs } = await idp.configure({}, crowded);
    const start = async () => (await fetch(theirs, { redirect: 'manual' })).status;
    for (let count = 0; count < 300; count += 50)
      expect(new Set(await Promise.all(Array.from({ length: 50 }, start)))).toEqual(new Set([303]));
    expect(await start()).toBe(429);
  });

  describe('is tolerant of clocks that differ by less than a minute', () => {
    it.each([
      ['is over since 30 s', 200, () => ({ notOnOrAfter: time(-30), confirmedUntil: time(-30) })],
      ['is over since 90 s', 403, () => ({ notOnOrAfter: time(-90), confirmedUntil: time(-90) })],
      ['begins in 30 s', 200, () => ({ notBefore: time(30), issueInstant: time(30) })],
      ['begins in 5 minutes', 403, () => ({ notBefore: time(300) })],
    ])('an assertion that %s is answered with %d', async (_what, status, change) => {
      expect((await answer(change)).status).toBe(status);
    });
  });

  describe('refuses', () => {
    const wrong: [string, Partial<Parts> | ((parts: Parts) => Partial<Parts>)][] = [
      ['an assertion for another audience', { audience: 'https://other.example.com/metadata' }],
      ['an assertion for no audience', { audience: null }],
      ['an assertion for another address', { recipient: 'https://other.example.com/acs' }],
      ['an assertion for no address', { recipient: null }],
      ['a response to another address', { destination: 'https://other.example.com/acs' }],
      ['a response to another request', { inResponseTo: '_another' }],
      ['a response nobody asked for', { inResponseTo: null, confirms: null }],
      ['an assertion made for another request', { confirms: '_another' }],
      ['an assertion made for no request', { confirms: null }],
      ['an assertion of another issuer', { issuer: 'https://idp.other.com' }],
      ['a response of another issuer', { responseIssuer: 'https://idp.other.com' }],
      ['an assertion that is over', () => ({ notOnOrAfter: time(-120) })],
      ['a confirmation that is over', () => ({ confirmedUntil: time(-120) })],
      ['a confirmation without end', { confirmedUntil: null }],
      [
        'a confirmation of another method',
        { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' },
      ],
      ['an assertion of the future', () => ({ issueInstant: time(300) })],
      ['an assertion without logon', { authnStatement: '' }],
      [
        'a session that is over',
        {
          authnStatement: `<saml:AuthnStatement AuthnInstant="${time(-900)}" SessionNotOnOrAfter="${time(-90)}"/>`,
        },
      ],
      [
        'a name that changes',
        { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
      ],
      ['an empty name', { nameId: '' }],
      ['a failure', { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }],
      ['two assertions', (parts) => ({ more: assertionXml(parts) })],
      [
        'an encrypted assertion beside the other',
        { more: '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>' },
      ],
    ];
    it.each(wrong)('%s', async (_what, change) => {
      expect(await answer(change)).toEqual(refusedAnswer);
    });

    const sha1 = 'http://www.w3.org/2000/09/xmldsig#';
    const forged: [string, (xml: string) => string][] = [
      ['no signature', (xml) => xml],
      ['a foreign key', (xml) => sign(xml, 'Assertion', stranger)],
      ['a foreign key over a response', (xml) => sign(xml, 'Response', stranger)],
      [
        'SHA-1 as signature',
        (xml) => sign(xml, 'Assertion', { ...idp.keys, signature: `${sha1}rsa-sha1` }),
      ],
      ['SHA-1 as digest', (xml) => sign(xml, 'Assertion', { ...idp.keys, digest: `${sha1}sha1` })],
      [
        'the certificate as the key of an HMAC',
        (xml) =>
          sign(xml, 'Assertion', { key: idp.keys.certificate, signature: `${sha1}hmac-sha1` }),
      ],
      [
        'comments kept',
        (xml) =>
          sign(xml, 'Assertion', {
            ...idp.keys,
            canonicalization: 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
          }),
      ],
      [
        'the name changed since',
        (xml) => sign(xml, 'Assertion', idp.keys).replace('alice@', 'bob@'),
      ],
      [
        'the name changed in a signed response',
        (xml) => sign(xml, 'Response', idp.keys).replace('alice@', 'bob@'),
      ],
      [
        'the audience changed since',
        (xml) => sign(xml, 'Assertion', idp.keys).replace('<saml:Audience>', '<saml:Audience> '),
      ],
      [
        'a good one of the assertion and a broken one of the response',
        (xml) =>
          sign(sign(xml, 'Assertion', idp.keys), 'Response', idp.keys).replace(
            'Version="2.0"',
            'Version="2.1"',
          ),
      ],
      [
        'a good one of the response and a foreign one of the assertion',
        (xml) => sign(sign(xml, 'Assertion', stranger), 'Response', idp.keys),
      ],
      [
        'its value taken out',
        (xml) =>
          sign(xml, 'Assertion', idp.keys).replace(
            /<ds:SignatureValue>[^<]*/,
            '<ds:SignatureValue>',
          ),
      ],
      [
        'its reference to nothing',
        (xml) => sign(xml, 'Assertion', idp.keys).replace(/URI="#[^"]*"/, 'URI=""'),
      ],
      [
        'a document type',
        (xml) => `<!DOCTYPE x [<!ENTITY e "e">]>${sign(xml, 'Assertion', idp.keys)}`,
      ],
      ['a text that is not XML', (xml) => `${sign(xml, 'Assertion', idp.keys)}<`],
      ['XML that is not a response', () => '<x/>'],
      ['what is empty', () => ' '],
    ];
    it.each(forged)('an answer with %s', async (_what, finish) => {
      expect(await answer({}, finish)).toEqual(refusedAnswer);
    });

    it.each(Object.entries(wrappings))(
      'a wrapped signature: %s',
      async (_what, { signed, wrap }) => {
        const signedAnswer = (xml: string) => sign(xml, signed, idp.keys);
        expect((await answer({}, signedAnswer)).status).toBe(200);
        expect(await answer({}, (xml) => wrap(signedAnswer(xml)))).toEqual(refusedAnswer);
      },
    );

    it('a name that is longer than its first part when a comment stands in it', async () => {
      const nameId = 'alice@example.test<!-- -->.evil.example.com';
      const answered = await answer({ nameId });
      expect(answered).toMatchObject({ status: 403, result: undefined });
      expect(answered.message).toContain('no member of the organization has this mail address');
    });

    it('a signed response without destination', async () => {
      const signed = (xml: string) => sign(xml, 'Response', idp.keys);
      expect(await answer({ destination: null }, signed)).toEqual(refusedAnswer);
    });

    it('an answer that comes twice, one after the other or at one moment', async () => {
      const begun = await idp.begin(start);
      const xml = encode(sign(responseXml(idp.parts(begun)), 'Assertion', idp.keys));
      const both = await Promise.all([idp.post(begun, xml), idp.post(begun, xml)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
      const third = said(await idp.post(begun, xml));
      expect(third).toMatchObject({ status: 403, result: undefined });
    });

    it('an answer to one sign-on as that to another', async () => {
      const [first, second] = [await idp.begin(start), await idp.begin(start)];
      const xml = encode(sign(responseXml(idp.parts(first)), 'Assertion', idp.keys));
      const relayState = second.request.relayState;
      const moved = { browser: second.browser, request: { ...first.request, relayState } };
      expect(said(await idp.post(moved, xml))).toMatchObject(refusedAnswer);
    });

    it('an answer in another browser than began', async () => {
      const begun = await idp.begin(start);
      const xml = encode(sign(responseXml(idp.parts(begun)), 'Assertion', idp.keys));
      const victim = { ...begun, browser: new Browser() };
      expect(said(await idp.post(victim, xml))).toMatchObject({ status: 403, result: undefined });
    });

    it('an answer at the address of another organization that trusts the same provider', async () => {
      const other = await service.organization('sso-saml-other');
      const { start: theirs } = await idp.configure({}, other);
      const begun = await idp.begin(theirs);
      const ours = begun.request.acsUrl.replace(
        other.organizationId,
        service.administrator.organizationId,
      );
      const xml = sign(
        responseXml({ ...idp.parts(begun), recipient: ours }),
        'Assertion',
        idp.keys,
      );
      const moved = { ...begun, request: { ...begun.request, acsUrl: ours } };
      expect(said(await idp.post(moved, encode(xml)))).toMatchObject({ status: 403 });
    });

    it('forms without sign-on, and bodies that are not forms', async () => {
      const send = (body: string, type = 'application/x-www-form-urlencoded') =>
        fetch(idp.addresses.acs_url, { method: 'POST', body, headers: { 'content-type': type } });
      expect((await send('SAMLResponse=eA%3D%3D')).status).toBe(400);
      expect((await send('SAMLResponse=eA%3D%3D&RelayState=x')).status).toBe(400);
      expect((await send(`RelayState=${'a'.repeat(22)}`)).status).toBe(403);
      expect((await send('{}', 'application/json')).status).toBe(415);
      expect((await send(`SAMLResponse=${'A'.repeat(600_000)}`)).status).toBe(413);
    });
  });
});
