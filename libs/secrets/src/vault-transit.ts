import { readFileSync } from 'node:fs';
import type { KeyService } from './key-service.js';
import { KeyUnusable } from './key-unusable.js';

const timeoutMs = 10_000;

/** A key in the transit engine of HashiCorp Vault or OpenBao, used over HTTP. */
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
        `"${reference}" is not a valid key of Vault's transit engine. Write it as https://vault:8200/transit/<key>.`,
      );
    this.origin = url.origin;
    this.mount = path.join('/');
    this.name = name;
  }

  async wrap(key: Buffer): Promise<{ reference: string; wrapped: string }> {
    const { ciphertext } = await this.request('encrypt', { plaintext: key.toString('base64') });
    if (ciphertext === undefined) throw new Error('Vault returned no ciphertext');
    return { reference: this.reference, wrapped: ciphertext };
  }

  async unwrap(wrapped: string): Promise<Buffer> {
    const { plaintext } = await this.request('decrypt', { ciphertext: wrapped });
    if (plaintext === undefined) throw new Error('Vault returned no plaintext');
    return Buffer.from(plaintext, 'base64');
  }

  private async request(
    action: 'encrypt' | 'decrypt',
    body: Record<string, string>,
  ): Promise<{ ciphertext?: string; plaintext?: string }> {
    const response = await fetch(`${this.origin}/v1/${this.mount}/${action}/${this.name}`, {
      method: 'POST',
      headers: { 'x-vault-token': this.token(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Vault returned ${response.status}: ${readErrors(text)}`);
    return (JSON.parse(text) as { data: { ciphertext?: string; plaintext?: string } }).data;
  }

  /** Reads the token for every call, because an agent may renew it by rewriting the file. */
  private token(): string {
    if (this.tokenFile === undefined)
      throw new KeyUnusable(
        `${this.reference} needs a token. Set VAULT_TOKEN_FILE to the path of a file with one.`,
      );
    return readFileSync(this.tokenFile, 'utf8').trim();
  }
}

/** Returns Vault's error messages. Any other text does not come from Vault and must not get into the log. */
function readErrors(text: string): string {
  try {
    const { errors } = JSON.parse(text) as { errors?: unknown };
    return Array.isArray(errors) && errors.length > 0 ? errors.join('; ') : 'no reason given';
  } catch {
    return 'the response is not from Vault';
  }
}
