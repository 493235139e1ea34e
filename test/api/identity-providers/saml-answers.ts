import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';

/** Reads the request of the service from the address that it redirects the browser to. */
export interface AuthnRequest {
  id: string;
  acsUrl: string;
  issuer: string;
  destination: string;
  relayState: string;
}

export function readAuthnRequest(location: string): AuthnRequest {
  const { searchParams } = new URL(location);
  const deflated = Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64');
  const xml = inflateRawSync(deflated).toString();
  const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(xml)?.[1] ?? '';
  return {
    id: attribute('ID'),
    acsUrl: attribute('AssertionConsumerServiceURL'),
    destination: attribute('Destination'),
    issuer: /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? '',
    relayState: searchParams.get('RelayState') ?? '',
  };
}

/** Parts of a SAML response. Parts that are null are left out. */
export interface Parts {
  destination: string | null;
  inResponseTo: string | null;
  responseIssuer: string | null;
  status: string;
  issuer: string;
  issueInstant: string;
  nameId: string;
  nameIdFormat: string;
  method: string;
  recipient: string | null;
  confirms: string | null;
  confirmedUntil: string | null;
  notBefore: string;
  notOnOrAfter: string;
  audience: string | null;
  authnStatement: string;
  attributes: string;
  /** Beside the assertion, in the response. */
  more: string;
}

export const time = (seconds = 0) => new Date(Date.now() + seconds * 1_000).toISOString();
const newId = () => `_${randomBytes(16).toString('hex')}`;

/** Returns the parts of the valid response to a request. */
export function rightParts(request: AuthnRequest, issuer: string, nameId: string): Parts {
  return {
    destination: request.acsUrl,
    inResponseTo: request.id,
    responseIssuer: issuer,
    status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    issuer,
    issueInstant: time(),
    nameId,
    nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
    recipient: request.acsUrl,
    confirms: request.id,
    confirmedUntil: time(300),
    notBefore: time(-30),
    notOnOrAfter: time(300),
    audience: request.issuer,
    authnStatement: `<saml:AuthnStatement AuthnInstant="${time()}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    attributes: '',
    more: '',
  };
}

const given = (name: string, value: string | null) => (value === null ? '' : ` ${name}="${value}"`);

export function assertionXml(parts: Parts): string {
  const audience =
    parts.audience === null
      ? ''
      : `<saml:AudienceRestriction><saml:Audience>${parts.audience}</saml:Audience></saml:AudienceRestriction>`;
  const data = `${given('NotOnOrAfter', parts.confirmedUntil)}${given('Recipient', parts.recipient)}${given('InResponseTo', parts.confirms)}`;
  return [
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${newId()}" Version="2.0" IssueInstant="${parts.issueInstant}">`,
    `<saml:Issuer>${parts.issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="${parts.nameIdFormat}">${parts.nameId}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="${parts.method}"><saml:SubjectConfirmationData${data}/></saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions NotBefore="${parts.notBefore}" NotOnOrAfter="${parts.notOnOrAfter}">${audience}</saml:Conditions>`,
    parts.authnStatement,
    parts.attributes,
    '</saml:Assertion>',
  ].join('');
}

export function responseXml(parts: Parts, assertion = assertionXml(parts)): string {
  const issuer =
    parts.responseIssuer === null
      ? ''
      : `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${parts.responseIssuer}</saml:Issuer>`;
  return [
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${newId()}" Version="2.0" IssueInstant="${parts.issueInstant}"${given('Destination', parts.destination)}${given('InResponseTo', parts.inResponseTo)}>`,
    issuer,
    `<samlp:Status><samlp:StatusCode Value="${parts.status}"/></samlp:Status>`,
    assertion,
    parts.more,
    '</samlp:Response>',
  ].join('');
}

export interface Signing {
  key: string;
  signature?: string;
  digest?: string;
  canonicalization?: string;
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Signs the response, or the assertion in it, enveloped as SAML requires. */
export function sign(xml: string, what: 'Response' | 'Assertion', how: Signing): string {
  const element = `//*[local-name(.)='${what}']`;
  const canonicalization = how.canonicalization ?? exclusive;
  const signer = new SignedXml({
    privateKey: how.key,
    signatureAlgorithm: how.signature ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: canonicalization,
  });
  if (how.signature?.includes('hmac')) signer.enableHMAC();
  signer.addReference({
    xpath: element,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonicalization],
    digestAlgorithm: how.digest ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  const reference = `${element}/*[local-name(.)='Issuer']`;
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference, action: 'after' },
  });
  return signer.getSignedXml();
}

export const encode = (xml: string) => Buffer.from(xml).toString('base64');
