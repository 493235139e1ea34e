import { type Transform } from 'node:stream';
import { Agent, request as send } from 'undici';
import {
  type AgentRequest,
  type AgentResponse,
  BridgeFailure,
  type HandleRequest,
  passedHeaders,
} from '#bridge';
import type { AgentFile } from './agent-file.js';
import { Policy } from './policy.js';
import type { RequestLog } from './request-log.js';

const connectionsPerHost = 64;
const connectMs = 10_000;
const defaultMaxBytes = 5_368_709_120;
const defaultTimeoutSeconds = 300;

/**
 * Executes requests of the server inside the network of the agent: what its policy allows, within its limits, and without following
 * redirects. Every request is logged, without headers and bodies.
 */
export class RequestPerformer {
  private readonly dispatcher: Agent;
  private readonly policy: Policy;
  private readonly maxRequestBytes: number;
  private readonly maxResponseBytes: number;
  private readonly maxTimeoutMs: number;

  constructor(
    { allow, limits = {} }: Pick<AgentFile, 'allow' | 'limits'>,
    authorities: readonly string[] | undefined,
    private readonly log: RequestLog,
  ) {
    this.policy = new Policy(allow);
    this.maxRequestBytes = limits.request_bytes ?? defaultMaxBytes;
    this.maxResponseBytes = limits.response_bytes ?? defaultMaxBytes;
    this.maxTimeoutMs = (limits.timeout_seconds ?? defaultTimeoutSeconds) * 1_000;
    this.dispatcher = new Agent({
      connections: connectionsPerHost,
      connect: { timeout: connectMs, ...(authorities ? { ca: [...authorities] } : {}) },
    });
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
      const { status } = response;
      return {
        ...response,
        body: limited(response.body as AsyncIterable<Uint8Array>, this.maxResponseBytes, {
          passed: (bytes) => (entry.inBytes += bytes),
          ended: (error) => entry.end(status, error),
        }),
      };
    } catch (error) {
      const failure = failureOf(error, request.signal);
      entry.end(undefined, failure);
      throw failure;
    }
  };

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  private async send(
    { method, headers, body, timeoutMs, signal }: AgentRequest,
    url: URL,
    passed: (bytes: number) => void,
  ): Promise<AgentResponse> {
    const waitMs = Math.min(timeoutMs, this.maxTimeoutMs);
    const response = await send(url, {
      dispatcher: this.dispatcher,
      method: method as 'GET',
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
