import type { ManagementSchemas } from '#contract';
import { type EgressPolicy, EgressRefused } from '#egress';
import { fault } from '#management/core';
import { readCertificates } from './certificates.js';

export type WantedConfiguration =
  ManagementSchemas['CreateSsoConfiguration'] | ManagementSchemas['UpdateSsoConfiguration'];

/** Stored settings of an OpenID Connect provider, beside its encrypted client secret. */
export interface OidcSettings {
  issuer_url: string;
  client_id: string;
}

/** Stored settings of a SAML identity provider. */
export interface SamlSettings {
  idp_entity_id: string;
  idp_sso_url: string;
  /** PEM. */
  idp_certificates: string[];
  sp_entity_id: string;
  idp_metadata_url: string | null;
  name_id_format: string;
}

export const emailNameId = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** Name formats that identify a member permanently; transient ones do not. */
export const nameIdFormats = [
  emailNameId,
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
];

const maxUrlLength = 2_048;
const maxNameLength = 1_024; // Maximum length of an entity id in SAML.

/** Reads the settings of an OpenID Connect provider. @throws ApiError 400 */
export function oidcSettings(
  wanted: { issuer_url: string; client_id: string },
  egress: EgressPolicy,
): OidcSettings {
  const issuer = readUrl(wanted.issuer_url, '/config/issuer_url');
  if (issuer.search !== '' || issuer.hash !== '' || issuer.pathname.includes('/.well-known'))
    throw fault('/config/issuer_url', 'is not a valid issuer', {
      value: wanted.issuer_url,
      remediation: 'Send the issuer of the discovery document, without /.well-known.',
    });
  checkOutgoing(issuer, '/config/issuer_url', egress);
  return {
    issuer_url: wanted.issuer_url,
    client_id: readText(wanted.client_id, '/config/client_id'),
  };
}

/**
 * Reads the settings of a SAML identity provider.
 * @param kept stored certificates, used if the call sends none
 * @throws ApiError 400
 */
export function samlSettings(
  wanted: Extract<WantedConfiguration, { type: 'saml' }>,
  egress: EgressPolicy,
  kept: string[] | undefined,
): SamlSettings {
  const metadataUrl = wanted.idp_metadata_url ?? null;
  if (metadataUrl !== null)
    checkOutgoing(
      readUrl(metadataUrl, '/config/idp_metadata_url'),
      '/config/idp_metadata_url',
      egress,
    );
  const format = wanted.name_id_format ?? emailNameId;
  if (!nameIdFormats.includes(format))
    throw fault('/config/name_id_format', 'is not a name format that identifies a member', {
      value: format,
      remediation: `Use one of ${nameIdFormats.join(', ')}.`,
    });
  return {
    idp_entity_id: readText(wanted.idp_entity_id, '/config/idp_entity_id'),
    idp_sso_url: readUrl(wanted.idp_sso_url, '/config/idp_sso_url').href,
    idp_certificates: certificatesOf(wanted.idp_certificate, kept),
    sp_entity_id: readText(wanted.sp_entity_id, '/config/sp_entity_id'),
    idp_metadata_url: metadataUrl,
    name_id_format: format,
  };
}

function certificatesOf(given: string | null | undefined, kept: string[] | undefined): string[] {
  if (given !== undefined && given !== null)
    return readCertificates(given, '/config/idp_certificate');
  if (kept !== undefined) return kept;
  throw fault('/config/idp_certificate', 'is missing', {
    remediation: 'Send the signing certificate: none is stored.',
  });
}

/** Reads a client secret. @throws ApiError 400 */
export function readSecret(secret: string): string {
  if (secret.length > 0 && secret.length <= 4_096) return secret;
  throw fault('/config/client_secret', `has ${secret.length} characters`, {
    remediation: 'Send 1 to 4096 characters.',
  });
}

/** Reads a text. @throws ApiError 400 */
function readText(text: string, pointer: string): string {
  // eslint-disable-next-line no-control-regex -- the characters to refuse
  if (text.trim() !== '' && text.length <= maxNameLength && !/[\u0000-\u001f\u007f]/.test(text))
    return text;
  throw fault(pointer, 'is empty, too long, or contains control characters', {
    remediation: `Send 1 to ${maxNameLength} characters.`,
  });
}

/** Reads an address that secrets may be sent to: https, or http to this machine. @throws ApiError 400 */
function readUrl(text: string, pointer: string): URL {
  let url: URL | undefined;
  try {
    url = text.length <= maxUrlLength ? new URL(text) : undefined;
  } catch {
    // said below
  }
  if (url === undefined || url.username !== '' || url.password !== '')
    throw fault(pointer, 'is not a valid address', {
      value: text.slice(0, maxUrlLength),
      remediation: `Write https://host/path, with at most ${maxUrlLength} characters and without user and password.`,
    });
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))
    return url;
  throw fault(pointer, 'is not https', {
    value: text,
    remediation: 'Use the https address; http is allowed for this machine only.',
  });
}

/** True for hosts that are this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Checks that the service may call an address. @throws ApiError 400 */
function checkOutgoing(url: URL, pointer: string, egress: EgressPolicy): void {
  try {
    egress.checkUrl(url);
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error;
    throw fault(pointer, error.message, { value: url.href });
  }
}
