import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Fault } from '#contract';

/** Finds what is wrong with the PEM of a client certificate, its key and the optional authority. No value is repeated. */
export function certificateFaults(config: Record<string, unknown>, pointer: string): Fault[] {
  const faults: Fault[] = [];
  const fault = (name: string, message: string, remediation: string) => {
    faults.push({ location: 'body', pointer: `${pointer}/${name}`, message, remediation });
  };
  const certificate = readCertificate(config['certificate']);
  if (certificate === undefined)
    fault('certificate', 'is not a valid PEM certificate', pemHint('CERTIFICATE'));
  else if (Date.parse(certificate.validTo) <= Date.now())
    fault(
      'certificate',
      `expired at ${new Date(certificate.validTo).toISOString()}`,
      'Send a certificate that is still valid.',
    );
  const key = readKey(config['private_key']);
  if (key === undefined)
    fault(
      'private_key',
      'is not a valid PEM private key, or is encrypted',
      `${pemHint('PRIVATE KEY')} Keys with a passphrase are not supported.`,
    );
  else if (certificate !== undefined && !certificate.checkPrivateKey(key))
    fault('private_key', 'does not match the certificate', 'Send the key of this certificate.');
  const authority = config['certificate_authority'] ?? undefined;
  if (authority !== undefined && readCertificate(authority) === undefined)
    fault('certificate_authority', 'is not a valid PEM certificate', pemHint('CERTIFICATE'));
  return faults;
}

function pemHint(label: string): string {
  return `Send the file as it is, from -----BEGIN ${label}----- on, with its line breaks.`;
}

/** Reads the first certificate of a PEM text; undefined if any certificate in it is invalid. */
function readCertificate(text: unknown): X509Certificate | undefined {
  const blocks = String(text).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  try {
    return blocks?.map((block) => new X509Certificate(block))[0];
  } catch {
    return undefined;
  }
}

function readKey(text: unknown): KeyObject | undefined {
  try {
    return createPrivateKey(String(text));
  } catch {
    return undefined;
  }
}
