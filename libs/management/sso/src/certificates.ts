import { X509Certificate } from 'node:crypto';
import { fault } from '#management/core';

const maxBytes = 65_536;
const maxCertificates = 10;
const minBits = 2048;

/**
 * Reads the certificates of an identity provider as a list of PEM texts: the current one and, during a key change, the
 * next.
 * @param text PEM, or the bare base64 of SAML metadata
 * @throws ApiError 400
 */
export function readCertificates(text: string, pointer: string): string[] {
  if (text.length > maxBytes)
    throw fault(pointer, `is longer than ${maxBytes} characters`, {
      remediation: 'Send the signing certificates only.',
    });
  const blocks = text.includes('-----BEGIN')
    ? (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [])
    : [wrap(text)];
  if (blocks.length === 0 || blocks.length > maxCertificates)
    throw fault(pointer, `holds ${blocks.length} certificates`, {
      remediation: `Send 1 to ${maxCertificates} certificates in PEM, or one as the base64 of the provider's metadata.`,
    });
  return blocks.map((block) => check(block, pointer));
}

function check(block: string, pointer: string): string {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(block);
  } catch {
    throw fault(pointer, 'is not a valid X.509 certificate', {
      remediation: "Send the provider's signing certificate in PEM.",
    });
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < minBits)
    throw fault(pointer, `has a key of type ${type} with ${details?.modulusLength ?? '?'} bits`, {
      remediation: `The provider must sign with an RSA key of ${minBits} bits or more.`,
    });
  return certificate.toString().trim();
}

function wrap(base64: string): string {
  const lines = base64.replaceAll(/\s/g, '').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
}
