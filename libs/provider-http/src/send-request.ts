import type { Dispatcher, FormData } from 'undici';
import { request as send } from 'undici';
import type { EgressPolicy } from '#egress';
import { parseBody, parseError, readBytes } from './read-body.js';
import { FileBody } from './file-body.js';
import type { ProviderRequest, UnreadResponse } from './provider-request.js';
import type { IdleTimer } from './idle-timer.js';

const maxRedirects = 3;
const maxErrorBytes = 65_536;

export interface SendRequestOptions {
  dispatcher: Dispatcher;
  /** The connections with the client certificate, which is presented to the first origin only. */
  own?: Dispatcher;
  policy: EgressPolicy;
  idleTimer: IdleTimer;
  timeoutMs: number;
  /** Maximum time between two chunks of a stream. */
  idleMs: number;
  maxBytes: number;
}

/**
 * Sends one request and reads its response. Redirects of GET are followed, each through the egress policy, but headers with secrets are
 * only sent to the first origin.
 * @throws EgressRefused, ResponseTooLarge, MalformedResponse, and what undici throws
 */
export async function sendRequest(
  request: ProviderRequest,
  options: SendRequestOptions,
): Promise<UnreadResponse> {
  let { url, headers } = request;
  const { origin } = url;
  for (let redirects = 0; ; redirects += 1) {
    options.policy.checkUrl(url);
    const response = await send(url, {
      dispatcher: (url.origin === origin ? options.own : undefined) ?? options.dispatcher,
      method: request.method,
      headers: { 'accept-encoding': 'identity', ...headers, ...lengthOf(request) },
      body: bodyOf(request, options.idleTimer),
      signal: options.idleTimer.signal,
      headersTimeout: request.body instanceof FileBody ? 0 : options.timeoutMs, // files have an idle timer
      bodyTimeout: request.answer === 'stream' ? options.idleMs : options.timeoutMs,
    });
    const received = headersOf(response.headers);
    const { statusCode: status } = response;
    const location = received['location'];
    if (isRedirect(status) && location !== undefined && request.method === 'GET') {
      await response.body.dump();
      if (redirects === maxRedirects)
        throw new Error(`the provider redirected more than ${maxRedirects} times`);
      url = new URL(location, url);
      if (url.origin !== origin) headers = without(headers, request.secretHeaders);
      continue;
    }
    const ok = status >= 200 && status < 300;
    if (ok && request.answer === 'stream')
      return { status, headers: received, body: null, text: '[stream]', stream: response.body };
    const bytes = await readBytes(response.body, ok ? options.maxBytes : maxErrorBytes, !ok);
    const { body, text } = ok
      ? parseBody(bytes, request.answer, received['content-type'] ?? '')
      : parseError(bytes);
    return { status, headers: received, body, text };
  }
}

function bodyOf(
  { body }: ProviderRequest,
  idleTimer: IdleTimer,
): string | Buffer | FormData | null {
  // undici takes any iterable, its types only some.
  if (body instanceof FileBody) return body.chunks(idleTimer) as never;
  return (body ?? null) as string | Buffer | FormData | null;
}

function lengthOf({ body }: ProviderRequest): Record<string, string> {
  return body instanceof FileBody && body.length !== undefined
    ? { 'content-length': String(body.length) }
    : {};
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function without(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

function headersOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined)
      joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}
