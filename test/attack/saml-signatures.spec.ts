import { SAML } from '@node-saml/node-saml';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SamlSettings } from '../../libs/management/sso/src/configuration-settings.js';
import { SamlProvider } from '../../libs/management/sso/src/saml-provider.js';
import { selfSigned } from '../api/identity-providers/certificate.js';
import { encode, responseXml, rightParts, sign } from '../api/identity-providers/saml-answers.js';

const [own, other, stranger] = [selfSigned(), selfSigned(), selfSigned()];
const acsUrl = 'https://api.example.com/acs';
const signOn = 'request';
const request = {
  id: `_${signOn}`,
  acsUrl,
  issuer: 'urn:sp',
  destination: 'https://idp.example.com/sso',
  relayState: signOn,
};
const parts = rightParts(request, 'urn:idp', 'alice@example.test');
const settings = {
  idp_entity_id: 'urn:idp',
  idp_sso_url: 'https://idp.example.com/sso',
  idp_certificates: [other.certificate, own.certificate],
  idp_metadata_url: null,
  sp_entity_id: 'urn:sp',
  name_id_format: parts.nameIdFormat,
} as unknown as SamlSettings;
const provider = new SamlProvider(settings, acsUrl, { of: () => Promise.resolve([]) });
const answer = (xml: string) => provider.answer(encode(xml), signOn, Date.now());

describe('a response of SAML', () => {
  let verify: jest.SpiedFunction<SAML['validatePostResponseAsync']>;
  beforeEach(() => {
    verify = jest.spyOn(SAML.prototype, 'validatePostResponseAsync');
  });
  afterEach(() => verify.mockRestore());

  // The library searches all elements by XPath, several times for each certificate: seconds for some thousand of them.
  it.each(['Assertion', 'Response'] as const)(
    'with a false signature of the %s is not verified by the library',
    async (element) => {
      const many = responseXml({ ...parts, more: '<a/>'.repeat(1_000) });
      await expect(answer(sign(many, element, stranger))).rejects.toThrow('Invalid signature');
      expect(verify).not.toHaveBeenCalled();
    },
  );

  it('with one true and one false signature is not verified by the library', async () => {
    const xml = sign(sign(responseXml(parts), 'Assertion', own), 'Response', stranger);
    await expect(answer(xml)).rejects.toThrow('Invalid signature');
    expect(verify).not.toHaveBeenCalled();
  });

  it.each([
    'http://www.w3.org/2001/10/xml-exc-c14n#',
    'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  ])('of the identity provider is verified once, by %s', async (canonicalization) => {
    const xml = sign(responseXml(parts), 'Assertion', { ...own, canonicalization });
    await expect(answer(xml)).resolves.toMatchObject({ subject: 'alice@example.test' });
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it('that was changed after it was signed is refused', async () => {
    const xml = sign(responseXml(parts), 'Assertion', own);
    await expect(answer(xml.replace('alice@', 'mallory@'))).rejects.toThrow();
    await expect(answer(xml.replace('#sha256"', '#sha512"'))).rejects.toThrow('Invalid signature');
  });
});
