import { refused } from './refusals.js';
import { allIn, attributeOf, childOf, parseXml, type XmlElement } from './xml.js';

/** Parts of a SAML response that are read before its signatures are verified. */
export interface SamlResponse {
  /** The response in the form that the library takes. */
  base64: string;
  /** Elements that carry a signature; each signature must be valid. */
  signed: { response: boolean; assertion: boolean };
  signatures: XmlElement[];
  destination: string | null;
  inResponseTo: string | null;
  issuer: string | null;
}

const maxCharacters = 262_144;
const protocolNamespace = 'urn:oasis:names:tc:SAML:2.0:protocol';
const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion';
const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#';
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** SHA-1 is not allowed: a collision would let an attacker replace a signed document. */
const algorithms: Readonly<Record<string, readonly string[]>> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: [
    'http://www.w3.org/2001/04/xmlenc#sha256',
    'http://www.w3.org/2001/04/xmlenc#sha512',
  ],
  // None of them keeps comments, because some readers end a name at a comment.
  CanonicalizationMethod: [
    'http://www.w3.org/2001/10/xml-exc-c14n#',
    'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  ],
  Transform: [
    'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
    'http://www.w3.org/2001/10/xml-exc-c14n#',
    'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  ],
};

/**
 * Reads a response and accepts one shape only: a response with one assertion as its child, each signed in its own place
 * or one of them. Attacks that wrap a signed element in another document have another shape.
 * @throws ApiError 403
 */
export function readResponse(base64: string): SamlResponse {
  if (base64.length > maxCharacters || !/^[A-Za-z0-9+/=\s]+$/.test(base64))
    throw refused('it is not a SAML response');
  const response = parseXml(Buffer.from(base64, 'base64').toString('utf8'), (why) => {
    throw refused(why);
  });
  if (response.localName !== 'Response' || response.namespaceURI !== protocolNamespace)
    throw refused('it is not a SAML response');
  checkStatus(response);
  const assertion = onlyAssertion(response);
  const signed = {
    response: signatureOf(response) !== undefined,
    assertion: signatureOf(assertion) !== undefined,
  };
  const signatures = allIn(response, signatureNamespace, 'Signature');
  if (signatures.length !== Number(signed.response) + Number(signed.assertion))
    throw refused('it has a signature in another place than its response or assertion');
  if (signatures.length === 0) throw refused('neither response nor assertion is signed');
  for (const signature of signatures) checkAlgorithms(signature);
  return {
    base64,
    signed,
    signatures,
    destination: attributeOf(response, 'Destination'),
    inResponseTo: attributeOf(response, 'InResponseTo'),
    issuer: childOf(response, assertionNamespace, 'Issuer')?.textContent?.trim() ?? null,
  };
}

function checkStatus(response: XmlElement): void {
  const status = childOf(response, protocolNamespace, 'Status');
  const code = status && childOf(status, protocolNamespace, 'StatusCode');
  const value = code ? attributeOf(code, 'Value') : null;
  if (value === success) return;
  const inner = code && childOf(code, protocolNamespace, 'StatusCode');
  const said = [value, inner ? attributeOf(inner, 'Value') : null]
    .map((one) => one?.split(':').at(-1)?.slice(0, 100))
    .filter(Boolean);
  throw refused(`its status is ${said.join(', ') || 'missing'}`);
}

function onlyAssertion(response: XmlElement): XmlElement {
  if (allIn(response, assertionNamespace, 'EncryptedAssertion').length > 0)
    throw refused('its assertion is encrypted, which this service does not support');
  const assertions = allIn(response, assertionNamespace, 'Assertion');
  const [assertion] = assertions;
  if (assertion === undefined || assertions.length > 1 || assertion.parentNode !== response)
    throw refused('it does not contain one assertion as a child of the response');
  return assertion;
}

/** Returns the signature of an element: its child, which covers that element only. */
function signatureOf(element: XmlElement): XmlElement | undefined {
  const signature = childOf(element, signatureNamespace, 'Signature');
  if (signature === undefined) return undefined;
  const references = allIn(signature, signatureNamespace, 'Reference');
  const id = attributeOf(element, 'ID');
  const [reference] = references;
  if (references.length !== 1 || !reference || !id || attributeOf(reference, 'URI') !== `#${id}`)
    throw refused('a signature does not sign the element that contains it');
  if (allIn(signature, signatureNamespace, 'Object').length > 0)
    throw refused('a signature carries a document of its own');
  return signature;
}

function checkAlgorithms(signature: XmlElement): void {
  for (const [name, allowed] of Object.entries(algorithms))
    for (const element of allIn(signature, signatureNamespace, name)) {
      const algorithm = attributeOf(element, 'Algorithm') ?? '';
      if (!allowed.includes(algorithm))
        throw refused(
          `it is signed by the method ${algorithm.slice(0, 100)}, which is not allowed`,
        );
    }
}
