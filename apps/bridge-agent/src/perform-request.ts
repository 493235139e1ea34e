import { type Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import {
  type AgentRequest,
  type AgentResponse,
  BridgeFailure,
  type HandleRequest,
  passedHeaders,
} from '#bridge';
import type { AgentFile } from './agent-file.js';
import { HttpClient } from './http-client.js';
import { Policy } from './policy.js';
import { Masker } from './masker.js';
import type { RequestLog } from './request-log.js';
import { type SendTokenRequest } from './oauth-tokens.js';
import { type Draft, Secrets } from './secrets.js';
import { Vault } from './vault.js';

const connectionsPerHost = 64;
const connectMs = 10_000;
const defaultMaxBytes = 5_368_709_120;
const defaultTimeoutSeconds = 300;
const maxTokenBytes = 262_144;
const encodedMessage =
  'the bridge agent refuses a compressed response, in which it could not mask its secrets';

type BodyReadable = Dispatcher.ResponseData['body'];

/**
 * Executes requests of the server inside the network of the agent: what its policy allows, within its limits, and without following
 * redirects. Every request is logged, without headers and bodies.
 */
export class RequestPerformer {
  private readonly client: HttpClient;
  private readonly policy: Policy;
  private readonly maxRequestBytes: number;
  private readonly maxResponseBytes: number;
  private readonly maxTimeoutMs: number;
  private readonly masker = new Masker();
  private readonly secrets: Secrets;
  private readonly hashicorpVault: Vault | undefined;

  constructor(
    file: Pick<AgentFile, 'allow' | 'limits' | 'secrets' | 'vault'>,
    authorities: readonly string[] | undefined,
    private readonly log: RequestLog,
    environment: Readonly<Record<string, string | undefined>> = {},
  ) {
    const { allow, limits = {}, secrets = [], vault } = file;
    this.policy = new Policy(allow);
    this.maxRequestBytes = limits.request_bytes ?? defaultMaxBytes;
    this.maxResponseBytes = limits.response_bytes ?? defaultMaxBytes;
    this.maxTimeoutMs = (limits.timeout_seconds ?? defaultTimeoutSeconds) * 1_000;
    this.client = new HttpClient({
      connections: connectionsPerHost,
      connect: { timeout: connectMs, ...(authorities ? { ca: [...authorities] } : {}) },
    });
    const onToken = (token: string) => this.masker.add(token, this);
    this.hashicorpVault =
      vault && new Vault(vault, { client: this.client, environment, log: log.log, onToken });
    const sendToken: SendTokenRequest = (...request) => this.sendTokenRequest(...request);
    this.secrets = new Secrets(secrets, environment, {
      masker: this.masker,
      sendToken,
      vault: this.hashicorpVault,
    });
  }

  /** The names of secrets, with their origins. */
  get vault(): Record<string, string> {
    return this.secrets.shown;
  }

  /** The allow-list as texts. */
  get allowed(): string[] {
    return this.policy.shown;
  }

  readonly perform: HandleRequest = async (request) => {
    const url = new URL(request.url);
    const entry = this.log.begin(request.method, url);
    try {
      this.policy.check(request.method, url);
      const response = await this.send(request, url, (bytes) => (entry.outBytes += bytes));
      const { status, headers } = response;
      const body = this.masker.body(response.body as AsyncIterable<Uint8Array>);
      return {
        status,
        headers: this.masker.headers(headers),
        body: limited(body, this.maxResponseBytes, {
          passed: (bytes) => (entry.inBytes += bytes),
          ended: (error) => entry.end(status, error),
        }),
      };
    } catch (error) {
      const failure = this.masked(failureOf(error, request.signal));
      entry.end(undefined, failure);
      throw failure;
    }
  };

  /** Reads the secrets of Vault, and keeps its token renewed. */
  async start(): Promise<void> {
    this.hashicorpVault?.start();
    await this.secrets.preload();
  }

  async close(): Promise<void> {
    this.hashicorpVault?.close();
    await this.client.close();
  }

  private async send(
    { method, headers, body, timeoutMs, signal, secrets = [] }: AgentRequest,
    url: URL,
    passed: (bytes: number) => void,
  ): Promise<AgentResponse> {
    const waitMs = Math.min(timeoutMs, this.maxTimeoutMs);
    const draft: Draft = { method, url, headers: this.plainly(headers), body };
    for (let attempt = 1; ; attempt += 1) {
      const request = await this.secrets.apply(draft, secrets, signal);
      this.policy.check(request.method, request.url); // a secret may have changed it
      const response = await this.sendOnce(request, { waitMs, signal, passed });
      const isOpaque = !this.masker.isEmpty && isEncoded(response.headers);
      const isRefused = response.status === 401 && secrets.length > 0;
      if (isRefused) this.secrets.forget(secrets);
      if (!isOpaque && !(isRefused && body === undefined && attempt === 1)) return response;
      await (response.body as BodyReadable).dump();
      if (isOpaque) throw new BridgeFailure('refused', encodedMessage, true);
    }
  }

  /** Lets hosts answer without compression, in which no secret can be seen. */
  private plainly(headers: Record<string, string>): Record<string, string> {
    return this.masker.isEmpty ? headers : { ...headers, 'accept-encoding': 'identity' };
  }

  private masked(failure: BridgeFailure): BridgeFailure {
    const { reason, message, isSent, code } = failure;
    return new BridgeFailure(reason, this.masker.text(message), isSent, code);
  }

  private async sendTokenRequest(
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<{ status: number; text: string }> {
    this.policy.check('POST', url);
    const { statusCode: status, body: answer } = await this.client.send(url, {
      method: 'POST',
      headers,
      body,
      signal,
      headersTimeout: this.maxTimeoutMs,
      bodyTimeout: this.maxTimeoutMs,
    });
    const chunks: Uint8Array[] = [];
    const ignored = { passed: () => undefined, ended: () => undefined };
    for await (const chunk of limited(answer, maxTokenBytes, ignored)) chunks.push(chunk);
    return { status, text: Buffer.concat(chunks).toString() };
  }

  private async sendOnce(
    { method, url, headers, body }: Draft,
    {
      waitMs,
      signal,
      passed,
    }: { waitMs: number; signal: AbortSignal; passed: (bytes: number) => void },
  ): Promise<AgentResponse> {
    const response = await this.client.send(url, {
      method: method,
      headers,
      body: body === undefined ? null : uploadOf(body, this.maxRequestBytes, passed),
      signal,
      headersTimeout: body === undefined ? waitMs : 0, // the server watches an upload
      bodyTimeout: waitMs,
    });
    return {
      status: response.statusCode,
      headers: passedHeaders(response.headers),
      body: response.body,
    };
  }
}

function isEncoded({ 'content-encoding': encoding = 'identity' }: Record<string, string>): boolean {
  return encoding !== '' && encoding !== 'identity';
}

function uploadOf(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  passed: (bytes: number) => void,
) {
  // undici takes any iterable, its types only some.
  return limited(body, maxBytes, { passed, ended: () => undefined }) as unknown as Transform;
}

async function* limited(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  { passed, ended }: { passed: (bytes: number) => void; ended: (error?: Error) => void },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let failure: Error | undefined = new Error('the server left before the end');
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new BridgeFailure('refused', `the agent carries bodies of ${maxBytes} bytes`, true);
      passed(chunk.length);
      yield chunk;
    }
    failure = undefined;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    ended(failure);
  }
}

function failureOf(error: unknown, signal: AbortSignal): BridgeFailure {
  if (error instanceof BridgeFailure) return error;
  if (signal.aborted) return new BridgeFailure('gone', 'the server has given up', true);
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = code.endsWith('_TIMEOUT')
    ? 'late'
    : code.startsWith('UND_ERR_INVALID') || code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'
      ? 'invalid'
      : 'unreachable';
  const isSent = !/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code);
  return new BridgeFailure(reason, message || code || 'no reason', isSent, code || undefined);
}
