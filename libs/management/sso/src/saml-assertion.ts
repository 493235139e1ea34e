import { parseInstant } from '#query';
import type { Identity } from './identity.js';
import { refused } from './refusals.js';

/** An element from the library's XML reader: attributes in `$`, text in `_`, children in arrays by name. */
interface Element {
  $?: Record<string, string>;
  _?: string;
  [child: string]: unknown;
}

/** Values that an assertion must match. */
export interface Expected {
  issuer: string;
  acsUrl: string;
  requestId: string;
  now: number;
  clockSkewMs: number;
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** Attributes with a mail address or a name, in the order of preference. */
const emailAttributes = [
  'email',
  'mail',
  'emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const nameAttributes = [
  'displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
];

/**
 * Reads the identity from a signed assertion, and checks what the library does not: issuer, address, request, and
 * expiry.
 * @throws ApiError 403
 */
export function readAssertion(assertion: Element, expected: Expected): Identity {
  const issuer = only(assertion, 'Issuer')?._?.trim();
  if (issuer !== expected.issuer) throw refused('its assertion has another issuer');
  const subject = only(assertion, 'Subject');
  const confirmations = subject ? elements(subject, 'SubjectConfirmation') : [];
  if (!confirmations.some((one) => confirms(one, expected)))
    throw refused('its assertion is for another address or another sign-on, or has expired');
  checkSession(assertion, expected);
  const nameId = subject && only(subject, 'NameID');
  const name = nameId?._?.trim() ?? '';
  const format = nameId?.$?.['Format'] ?? '';
  if (name === '' || name.length > 1_024) throw refused('its assertion has no subject');
  if (format === transient) throw refused('its NameID is transient');
  const attributes = attributesOf(assertion);
  return {
    subject: name,
    email: format === emailFormat ? name : (pick(attributes, emailAttributes) ?? mailIn(name)),
    fullname: pick(attributes, nameAttributes) ?? null,
  };
}

/** True for a bearer confirmation of our address and our request that has not expired. */
function confirms(confirmation: Element, expected: Expected): boolean {
  const data = only(confirmation, 'SubjectConfirmationData')?.$ ?? {};
  const until = parseInstant(data['NotOnOrAfter'] ?? '');
  return (
    confirmation.$?.['Method'] === bearer &&
    data['Recipient'] === expected.acsUrl &&
    data['InResponseTo'] === expected.requestId &&
    until > expected.now - expected.clockSkewMs &&
    !isLater(data['NotBefore'], expected)
  );
}

/** Checks the session at the provider, from its start to its end. */
function checkSession(assertion: Element, expected: Expected): void {
  const statements = elements(assertion, 'AuthnStatement');
  if (statements.length === 0) throw refused('its assertion has no authentication statement');
  for (const { $ } of statements) {
    const end = $?.['SessionNotOnOrAfter'];
    if (end !== undefined && !(parseInstant(end) > expected.now - expected.clockSkewMs))
      throw refused('the session at the identity provider has expired');
  }
  if (isLater(assertion.$?.['IssueInstant'], expected))
    throw refused('its assertion was issued in the future');
}

function isLater(time: string | undefined, { now, clockSkewMs }: Expected): boolean {
  return time !== undefined && !(parseInstant(time) <= now + clockSkewMs);
}

function attributesOf(assertion: Element): Map<string, string> {
  const found = new Map<string, string>();
  for (const statement of elements(assertion, 'AttributeStatement'))
    for (const attribute of elements(statement, 'Attribute')) {
      const values = elements(attribute, 'AttributeValue');
      const [value] = values;
      const name = attribute.$?.['Name']?.toLowerCase();
      if (name !== undefined && values.length === 1 && value?._ !== undefined)
        found.set(name, value._.trim());
    }
  return found;
}

function pick(attributes: Map<string, string>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

function mailIn(name: string): string | null {
  return /^[^\s@]+@[^\s@]+$/.test(name) ? name : null;
}

/** Returns the only child of a name; several would make the assertion ambiguous. */
function only(parent: Element, name: string): Element | undefined {
  const found = elements(parent, name);
  if (found.length > 1) throw refused(`its assertion has several of ${name}`);
  return found[0];
}

function elements(parent: Element, name: string): Element[] {
  const found = parent[name];
  if (!Array.isArray(found)) return [];
  return found.map((one) => (typeof one === 'string' ? { _: one } : (one as Element)));
}
