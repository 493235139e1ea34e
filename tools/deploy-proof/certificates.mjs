// Certificates for the proof, by an authority of its own, made by openssl.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';

/** Makes a certificate for servers with these names. @returns its files: `tls.crt`, `tls.key`, and `ca.crt` of its authority */
export function makeCertificate(...names) {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-certificate-'));
  const openssl = (line) =>
    execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'pipe' });
  const alternatives = names.map((name) => `DNS:${name}`).join(',');
  try {
    writeFileSync(
      join(folder, 'tls.ext'),
      `subjectAltName=${alternatives}\nextendedKeyUsage=serverAuth,clientAuth\n`,
    );
    openssl(`req -x509 ${newKey} -days 2 -subj /CN=authority -keyout ca.key -out ca.crt`);
    openssl(`req ${newKey} -subj /CN=${names[0]} -keyout tls.key -out tls.csr`);
    openssl(
      'x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile tls.ext -out tls.crt',
    );
    const read = (name) => [name, readFileSync(join(folder, name), 'utf8')];
    return Object.fromEntries(['tls.crt', 'tls.key', 'ca.crt'].map(read));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
