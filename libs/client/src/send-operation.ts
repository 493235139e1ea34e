import { ApiError, ConnectionError, type Problem, TimeoutError } from './api-error.js';
import type { DescribedOperation } from './describe-operation.js';
import { maySendAgain, pause, pauseMs } from './retries.js';

export interface ClientOptions {
  /** The address of the service, such as `https://onefold.example.com`. */
  url: string;
  /** An access token, or what returns the present one: it is asked before each attempt. */
  token?: string | (() => string | Promise<string>);
  /** The time of a whole call with its retries, in milliseconds; a little more than the service takes when absent. Uploads and files have none. */
  timeoutMs?: number;
  /** How often a call is sent again at most; 3 when absent. */
  maxRetries?: number;
  /** Headers of every request, such as `traceparent`. */
  headers?: Record<string, string>;
  /** Sends requests; the `fetch` of the platform when absent. */
  fetch?: typeof globalThis.fetch;
}

/** The options of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  headers?: Record<string, string>;
  /** Where the operation supports one, a key is made for each call when absent: attempts of one call create one record. */
  idempotencyKey?: string;
}

/** The service itself answers within 60 s, or 300 s where it polls a provider. */
const timeoutMs = 70_000;
const pollingTimeoutMs = 310_000;
const defaultRetries = 3;
const repeatableMethods = new Set(['GET', 'PUT', 'DELETE']);

type Values = Record<string, unknown>;

/**
 * Sends an operation until it succeeds, may not be sent again, or its time is over.
 * @param read reads the successful response; a connection that breaks meanwhile counts as a missing response
 * @throws ApiError, ConnectionError, TimeoutError, or the reason of the caller's signal
 */
export async function sendOperation<Answer>(
  operation: DescribedOperation,
  input: Values,
  client: ClientOptions,
  call: CallOptions | undefined,
  read: (response: Response) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { id, isFile, isUpload, polls, takesKey } = operation;
  const request = requestOf(operation, input, client.url);
  const isStream = request.body instanceof ReadableStream;
  const key = takesKey ? (call?.idempotencyKey ?? crypto.randomUUID()) : call?.idempotencyKey;
  const isRepeatable =
    !isStream && (repeatableMethods.has(operation.method) || (takesKey && key !== undefined));
  const retries = isStream ? 0 : (call?.maxRetries ?? client.maxRetries ?? defaultRetries);
  const ms =
    call?.timeoutMs ??
    client.timeoutMs ??
    (isFile || isUpload ? undefined : polls ? pollingTimeoutMs : timeoutMs);
  const timeout = ms === undefined ? undefined : AbortSignal.timeout(ms);
  const signal = AbortSignal.any([timeout, call?.signal].filter((one) => one !== undefined));
  const end = ms === undefined ? Infinity : Date.now() + ms;
  const send = client.fetch ?? globalThis.fetch;
  for (let attempt = 1; ; attempt += 1) {
    let response: Response | undefined;
    let failure: unknown;
    try {
      const token = typeof client.token === 'function' ? await client.token() : client.token;
      response = await send(request.url, {
        method: operation.method,
        headers: {
          accept: 'application/json',
          ...client.headers,
          ...request.headers,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...call?.headers,
        },
        signal,
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(isStream ? { duplex: 'half' } : {}), // Node asks for it
      });
      if (response.ok) return await read(response);
    } catch (error) {
      if (timeout?.aborted) throw new TimeoutError(id, ms ?? 0, error);
      call?.signal?.throwIfAborted();
      failure = error;
      response = undefined;
    }
    const wait = pauseMs(attempt, response?.headers.get('retry-after') ?? null);
    const isAgain =
      attempt <= retries && Date.now() + wait < end && maySendAgain(response?.status, isRepeatable);
    if (!isAgain)
      throw response === undefined ? new ConnectionError(id, failure) : await refusal(id, response);
    await response?.body?.cancel();
    await pause(wait, signal);
  }
}

interface MadeRequest {
  url: string;
  headers: Record<string, string>;
  body: RequestInit['body'];
}

function requestOf(operation: DescribedOperation, input: Values, base: string): MadeRequest {
  const { body, ...parameters } = input;
  const path = operation.path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, star: string) => {
    const value = parameters[name];
    delete parameters[name];
    if (value === undefined || value === null || (value === '' && star === ''))
      throw new TypeError(`${operation.id} needs ${name}`);
    const text = textOf(value);
    return star === ''
      ? encodeURIComponent(text)
      : text.split('/').map(encodeURIComponent).join('/');
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      if (one !== undefined && one !== null) query.append(name, textOf(one));
  const url = `${base.endsWith('/') ? base.slice(0, -1) : base}${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
  if (body === undefined) return { url, headers: {}, body: undefined };
  if (operation.isUpload) {
    const headers: Record<string, string> =
      body instanceof FormData ? {} : { 'content-type': 'application/octet-stream' };
    return { url, headers, body: body as RequestInit['body'] };
  }
  return { url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** A parameter in an address; other values than texts are as in JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function refusal(id: string, response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  return new ApiError(id, status, problemOf(text), headers.get('x-request-id'), headers);
}

function problemOf(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof value === 'object' && value !== null && 'message' in value;
    return isProblem ? (value as Problem) : null;
  } catch {
    return null;
  }
}
