import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its key, both PEM. */
export interface KeyPair {
  certificate: string;
  key: string;
}

/** A certificate authority for specs. Its certificates are made by openssl: Node reads certificates, but cannot make them. */
export class TestAuthority {
  private readonly folder = mkdtempSync(join(tmpdir(), 'onefold-certificates-'));
  /** PEM. */
  readonly certificate: string;

  constructor() {
    this.openssl(`req -x509 ${newKey} -days 2 -subj /CN=authority -keyout ca.key -out ca.pem`);
    this.certificate = this.read('ca.pem');
  }

  /** Issues a certificate for a name and for 127.0.0.1. @param days its lifetime; 0 for one that has expired */
  issue(name: string, days = 2): KeyPair {
    this.openssl(`req ${newKey} -subj /CN=${name} -keyout one.key -out one.csr`);
    writeFileSync(join(this.folder, 'one.ext'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
    this.openssl(
      `x509 -req -in one.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days ${days} -extfile one.ext -out one.pem`,
    );
    return { certificate: this.read('one.pem'), key: this.read('one.key') };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private openssl(line: string): void {
    execFileSync('openssl', line.split(' '), { cwd: this.folder, stdio: 'ignore' });
  }

  private read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }
}

const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
