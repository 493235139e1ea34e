import { X509Certificate } from 'node:crypto';
import { fault } from '#management/core';

const mostBytes = 65_536;
const mostCertificates = 10;
const leastBits = 2048;

/**
 * The certificates of an identity provider as PEM, one after the other: the one in use and, while keys change, the next.
 * @param text PEM, or the bare base64 that SAML metadata hold. @throws ApiError 400
 */
export function readCertificates(text: string, pointer: string): string[] {
  if (text.length > mostBytes)
    throw fault(pointer, `is longer than ${mostBytes} characters`, {
      remediation: 'Send the signing certificates only.',
    });
  const blocks = text.includes('-----BEGIN')
    ? (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [])
    : [wrap(text)];
  if (blocks.length === 0 || blocks.length > mostCertificates)
    throw fault(pointer, `holds ${blocks.length} certificates`, {
      remediation: `Send 1 to ${mostCertificates} certificates in PEM, or one as the base64 of the provider's metadata.`,
    });
  return blocks.map((block) => check(block, pointer));
}

function check(block: string, pointer: string): string {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(block);
  } catch {
    throw fault(pointer, 'is no X.509 certificate', {
      remediation: "Send the provider's signing certificate in PEM.",
    });
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < leastBits)
    throw fault(
      pointer,
      `has a key of the kind ${type} with ${details?.modulusLength ?? '?'} bits`,
      {
        remediation: `The provider has to sign with an RSA key of ${leastBits} bits or more.`,
      },
    );
  return certificate.toString().trim();
}

function wrap(base64: string): string {
  const lines = base64.replaceAll(/\s/g, '').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
}
