import { StartError, type JsonLog } from '#observe/runtime';
import { readText, type VaultPlace, type VaultSettings } from './agent-file.js';
import type { HttpClient } from './http-client.js';
import { keepRenewed } from './renew-vault-token.js';

const timeoutMs = 10_000;
const maxResponseBytes = 1_048_576;
const defaultRefreshSeconds = 300;
/** A host that refuses a secret lets it be read again, and this often at most. */
const minReadIntervalMs = 5_000;

type Data = Readonly<Record<string, unknown>>;

interface Read {
  data: Data;
  readAt: number;
  /** When it is read again at its next use. */
  freshUntil: number;
}

/** Vault's answer to a request, or the lack of one. The message says why, without the address. */
export class VaultError extends Error {
  constructor(
    message: string,
    /** Undefined if there was no response. */
    readonly status: number | undefined,
    options?: { cause: unknown },
  ) {
    super(message, options);
    this.name = 'VaultError';
  }

  /** True while Vault cannot say whether the secret is there: it cannot be reached, is sealed, or has too much to do. */
  get isTemporary(): boolean {
    return this.status === undefined || this.status === 429 || this.status >= 500;
  }
}

export interface VaultParts {
  client: HttpClient;
  environment: Readonly<Record<string, string | undefined>>;
  log: Pick<JsonLog, 'log' | 'warn'>;
  /** Is told each token, so that hosts cannot show it. */
  onToken: (token: string) => void;
  now?: () => number;
}

/**
 * Secrets of the KV engine, version 2, of HashiCorp Vault or OpenBao, kept in memory for a while. Values of this engine have no lease, so
 * their age decides when they are read again.
 * @see https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2#read-secret-version
 */
export class Vault {
  private readonly reads = new Map<string, Read>();
  private readonly open = new Map<string, Promise<Data>>();
  private readonly mount: string;
  private readonly refreshMs: number;
  private readonly now: () => number;
  private readonly ending = new AbortController();

  constructor(
    private readonly settings: VaultSettings,
    private readonly parts: VaultParts,
  ) {
    this.mount = settings.mount ?? 'secret';
    this.refreshMs = (settings.refresh_seconds ?? defaultRefreshSeconds) * 1_000;
    this.now = parts.now ?? Date.now;
    this.token(); // A missing token is an error of the start.
  }

  /** Renews the token from now on. */
  start(): void {
    const request = (method: 'POST', path: string) => this.request(method, path);
    void keepRenewed(request, this.parts.log, this.ending.signal);
  }

  close(): void {
    this.ending.abort();
  }

  /** Names a place for people. */
  describe({ path, key }: VaultPlace): string {
    return `Vault: ${this.mount}/${path}, key ${key}`;
  }

  /**
   * Reads the value at a place. While Vault cannot be reached, it is the last one that is known.
   * @throws VaultError
   */
  async read(place: VaultPlace): Promise<string> {
    const value = (await this.dataOf(place.path))[place.key];
    if (typeof value === 'string') return value;
    const keys = value === undefined ? 'the secret does not have this key' : 'it is not a text';
    throw new VaultError(keys, 200);
  }

  /** Lets the next use read a secret again, because a host refused it: it may have been rotated. */
  forget({ path }: VaultPlace): void {
    const known = this.reads.get(path);
    if (known !== undefined && this.now() - known.readAt >= minReadIntervalMs) known.freshUntil = 0;
  }

  private async dataOf(path: string): Promise<Data> {
    const known = this.reads.get(path);
    if (known !== undefined && known.freshUntil > this.now()) return known.data;
    let reading = this.open.get(path);
    if (reading === undefined) {
      reading = this.readAgain(path, known).finally(() => this.open.delete(path));
      this.open.set(path, reading);
    }
    return await reading;
  }

  private async readAgain(path: string, known: Read | undefined): Promise<Data> {
    try {
      const data = await this.fetchData(path);
      const readAt = this.now();
      this.reads.set(path, { data, readAt, freshUntil: readAt + this.refreshMs });
      return data;
    } catch (error) {
      const { address } = this.settings;
      const place = `${this.mount}/${path}`;
      const { cause, message } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      const isKept = known !== undefined && error instanceof VaultError && error.isTemporary;
      this.parts.log.warn({ message: 'vault secret not read', address, place, reason, isKept });
      if (!isKept) {
        this.reads.delete(path); // It was deleted, or the agent may not read it any more.
        throw error;
      }
      known.freshUntil = this.now() + minReadIntervalMs;
      return known.data;
    }
  }

  private async fetchData(path: string): Promise<Data> {
    const inUrl = path.split('/').map(encodeURIComponent).join('/');
    const { data } = (await this.request('GET', `${this.mount}/data/${inUrl}`)) as {
      data?: { data?: unknown };
    };
    if (typeof data?.data === 'object' && data.data !== null) return data.data as Data;
    throw new VaultError(
      `the response is not one of the KV engine, version 2; is ${this.mount} its mount?`,
      200,
    );
  }

  /** @throws VaultError */
  private async request(method: 'GET' | 'POST', path: string): Promise<unknown> {
    const { address, namespace } = this.settings;
    const url = new URL(`${address.replace(/\/$/, '')}/v1/${path}`);
    const headers = {
      'x-vault-token': this.freshToken(),
      // Vault refuses requests without it when an administrator requires it of its agents and proxies.
      'x-vault-request': 'true',
      ...(namespace === undefined ? {} : { 'x-vault-namespace': namespace }),
    };
    let answer: { status: number; text: string };
    try {
      const options = { method, headers, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
      const signal = AbortSignal.any([this.ending.signal, AbortSignal.timeout(timeoutMs)]);
      const { statusCode, body } = await this.parts.client.send(url, { ...options, signal });
      answer = { status: statusCode, text: await textOf(body) };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new VaultError(`Vault cannot be reached (${code ?? message})`, undefined);
    }
    if (answer.status === 200) return readJson(answer.text);
    throw new VaultError(explain(answer), answer.status);
  }

  /** @throws VaultError, which hides from the server where the token is */
  private freshToken(): string {
    try {
      return this.token();
    } catch (cause) {
      throw new VaultError('the agent has no valid token of Vault', undefined, { cause });
    }
  }

  /** Reads the token for each request, because whoever renews it, such as Vault Agent, writes its file again. @throws StartError */
  private token(): string {
    const { token_file: file, token_env: variable = 'VAULT_TOKEN' } = this.settings;
    const token = (
      file === undefined ? (this.parts.environment[variable] ?? '') : readText(file)
    ).trim();
    if (!/^[\x21-\x7e]+$/.test(token))
      throw new StartError(
        `The token of Vault is ${token === '' ? 'missing' : 'not valid'}: put it into ${file ?? `the variable ${variable}`}.`,
      );
    this.parts.onToken(token);
    return token;
  }
}

/**
 * Says in words why Vault refused.
 * @see https://developer.hashicorp.com/vault/api-docs#error-response
 */
function explain({ status, text }: { status: number; text: string }): string {
  const { errors, data } = readJson(text) as { errors?: unknown; data?: unknown };
  // A deleted version is a 404 with its metadata, and one that was never there a 404 without errors.
  if (status === 404)
    return data ? 'the secret was deleted (404)' : 'there is no such secret (404)';
  const messages = Array.isArray(errors) ? errors.filter((one) => typeof one === 'string') : [];
  return messages.length === 0
    ? `Vault returned ${status}`
    : `Vault returned ${status}: ${messages.join('; ').replace(/\s+/g, ' ').slice(0, 200)}`;
}

/** An empty object for what is not JSON: it does not come from Vault, and must not get into a log. */
function readJson(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxResponseBytes)
      throw new Error(`a response of more than ${maxResponseBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
