import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a key with its self-signed certificate, both PEM, by openssl: Node reads certificates, but does not create
 * them.
 */
export function selfSigned(bits = 2_048): { key: string; certificate: string } {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-certificate-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  try {
    const args = `req -x509 -newkey rsa:${bits} -nodes -days 2 -subj /CN=idp -keyout ${key} -out ${certificate}`;
    execFileSync('openssl', args.split(' '), { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
