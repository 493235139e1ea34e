import { readFileSync } from 'node:fs';
import type { KeyService } from './key-service.js';
import { KeyUnusable } from './key-unusable.js';

const deadlineMs = 10_000;

/** A key of the transit engine of HashiCorp Vault or OpenBao, over its HTTP interface. */
export class VaultTransit implements KeyService {
  private readonly origin: string;
  private readonly mount: string;
  private readonly name: string;

  /** @param reference `https://vault:8200/<mount>/<key>` */
  constructor(
    private readonly reference: string,
    private readonly tokenFile: string | undefined,
  ) {
    const url = URL.canParse(reference) ? new URL(reference) : undefined;
    const path = url?.pathname.split('/').filter(Boolean) ?? [];
    const name = path.pop();
    if (url === undefined || name === undefined || path.length === 0)
      throw new KeyUnusable(
        `"${reference}" is no key of Vault's transit engine. Write it as https://vault:8200/transit/<key>.`,
      );
    this.origin = url.origin;
    this.mount = path.join('/');
    this.name = name;
  }

  async wrap(key: Buffer): Promise<{ reference: string; wrapped: string }> {
    const { ciphertext } = await this.ask('encrypt', { plaintext: key.toString('base64') });
    if (ciphertext === undefined) throw new Error('Vault answered without a ciphertext');
    return { reference: this.reference, wrapped: ciphertext };
  }

  async unwrap(wrapped: string): Promise<Buffer> {
    const { plaintext } = await this.ask('decrypt', { ciphertext: wrapped });
    if (plaintext === undefined) throw new Error('Vault answered without a plaintext');
    return Buffer.from(plaintext, 'base64');
  }

  private async ask(
    action: 'encrypt' | 'decrypt',
    body: Record<string, string>,
  ): Promise<{ ciphertext?: string; plaintext?: string }> {
    const response = await fetch(`${this.origin}/v1/${this.mount}/${action}/${this.name}`, {
      method: 'POST',
      headers: { 'x-vault-token': this.token(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(deadlineMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Vault answered ${response.status}: ${errorsOf(text)}`);
    return (JSON.parse(text) as { data: { ciphertext?: string; plaintext?: string } }).data;
  }

  /** Read for every call: whoever renews the token, such as a Vault agent, writes it anew. */
  private token(): string {
    if (this.tokenFile === undefined)
      throw new KeyUnusable(
        `${this.reference} needs a token. Set VAULT_TOKEN_FILE to a file that holds one.`,
      );
    return readFileSync(this.tokenFile, 'utf8').trim();
  }
}

/** Vault's own words; anything else it is not from and stays out of the log. */
function errorsOf(text: string): string {
  try {
    const { errors } = JSON.parse(text) as { errors?: unknown };
    return Array.isArray(errors) && errors.length > 0 ? errors.join('; ') : 'no reason given';
  } catch {
    return 'the answer is not from Vault';
  }
}
