import { describe, expect, it } from '@jest/globals';
import { selfSigned } from '../../../../test/api/identity-providers/certificate.js';
import {
  encode,
  responseXml,
  rightParts,
  sign,
} from '../../../../test/api/identity-providers/saml-answers.js';
import { wrappings } from '../../../../test/api/identity-providers/wrapped-answers.js';
import { readResponse } from './saml-response.js';

const keys = selfSigned();
const request = {
  id: '_request',
  acsUrl: 'https://api.example.com/acs',
  issuer: 'urn:sp',
  destination: 'https://idp.example.com/sso',
  relayState: 'request',
};
const parts = rightParts(request, 'urn:idp', 'alice@example.test');
const signed = (what: 'Response' | 'Assertion') => sign(responseXml(parts), what, keys);
const read = (xml: string) => readResponse(encode(xml));

describe('a SAML response before its signatures are verified', () => {
  it('has signed elements, destination, request and issuer', () => {
    const said = { destination: request.acsUrl, inResponseTo: request.id, issuer: 'urn:idp' };
    expect(read(signed('Assertion'))).toMatchObject({
      ...said,
      signed: { response: false, assertion: true },
    });
    expect(read(signed('Response'))).toMatchObject({
      ...said,
      signed: { response: true, assertion: false },
    });
    expect(read(sign(signed('Assertion'), 'Response', keys)).signed).toEqual({
      response: true,
      assertion: true,
    });
  });

  it.each(Object.entries(wrappings))('has another shape: %s', (_what, { signed: what, wrap }) => {
    expect(() => read(wrap(signed(what)))).toThrow('one assertion as a child of the response');
  });

  const signature = (xml: string) =>
    /<ds:Signature [\s\S]*<\/ds:Signature>/.exec(xml)?.[0] ?? 'no signature';
  const changes: [string, (xml: string) => string, string][] = [
    [
      'the reference names another element',
      (xml) => xml.replace(/URI="#[^"]*"/, 'URI="#_another"'),
      'does not sign the element that contains it',
    ],
    [
      'the reference names the whole document',
      (xml) => xml.replace(/URI="#[^"]*"/, 'URI=""'),
      'does not sign the element that contains it',
    ],
    [
      'the assertion has no id',
      (xml) => xml.replace(/(<saml:Assertion[^>]*) ID="[^"]*"/, '$1'),
      'does not sign the element that contains it',
    ],
    [
      'it signs two things',
      (xml) => xml.replace(/<ds:Reference [\s\S]*<\/ds:Reference>/, '$&$&'),
      'does not sign the element that contains it',
    ],
    [
      'the signature carries an object',
      (xml) => xml.replace('</ds:Signature>', '<ds:Object>x</ds:Object>$&'),
      'carries a document of its own',
    ],
    [
      'a second signature stands beside the first',
      (xml) => xml.replace('</saml:Assertion>', `${signature(xml)}$&`),
      'a signature in another place',
    ],
    [
      'the signature stands deeper in the assertion',
      (xml) => xml.replace(signature(xml), '').replace('<saml:NameID', `${signature(xml)}$&`),
      'a signature in another place',
    ],
    [
      'a transform is one nobody asked for',
      (xml) =>
        xml.replace(
          /(<ds:Transform Algorithm=")[^"]*/,
          '$1http://www.w3.org/TR/1999/REC-xslt-19991116',
        ),
      'xslt',
    ],
    [
      'the assertion is of another namespace',
      (xml) => xml.replaceAll('SAML:2.0:assertion', 'SAML:1.0:assertion'),
      'one assertion',
    ],
    [
      'the response is of another namespace',
      (xml) => xml.replaceAll('SAML:2.0:protocol', 'SAML:1.0:protocol'),
      'not a SAML response',
    ],
  ];
  it.each(changes)('is refused if %s', (_what, change, why) => {
    const right = signed('Assertion');
    expect(change(right)).not.toBe(right);
    expect(() => read(change(right))).toThrow(why);
  });

  it('is refused before parsing if parsing would take long', () => {
    const inside = (xml: string) => responseXml({ ...parts, more: xml });
    const nested = Array.from({ length: 6_000 }, (_, index) => `<a xmlns:n${index}="u">`).join('');
    // The document is not well-formed, which the parser would report.
    for (const xml of [nested, '<a>'.repeat(25_000), `${'<a/>'.repeat(12_000)}<a>`])
      expect(() => read(inside(xml))).toThrow('too many elements');
  });

  it('is refused if it is too long, or not base64', () => {
    expect(() => readResponse('A'.repeat(300_000))).toThrow('not a SAML response');
    expect(() => readResponse('<xml/>')).toThrow('not a SAML response');
    expect(() => readResponse('')).toThrow('not a SAML response');
  });
});
