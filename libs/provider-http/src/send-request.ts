import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { EgressPolicy } from '#egress';
import { parseBody, parseError, readBytes } from './read-body.js';
import { FileBody } from './file-body.js';
import type { ProviderRequest, UnreadResponse } from './provider-request.js';
import type { IdleTimer } from './idle-timer.js';
import type { DispatchedSecrets } from './secret-uses.js';
import { type BodyLimit, receiveResponse, type WholeResponse } from './receive-response.js';

const maxRedirects = 3;
const maxErrorBytes = 65_536;

export interface SendRequestOptions {
  dispatcher: Dispatcher;
  /** The connections with the client certificate, which is presented to the first origin only. */
  own?: Dispatcher;
  policy: Pick<EgressPolicy, 'checkUrl'>;
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
    const dispatcher = (url.origin === origin ? options.own : undefined) ?? options.dispatcher;
    const sent: DispatchedSecrets = {
      origin: url.origin,
      path: url.search === '' ? url.pathname : `${url.pathname}${url.search}`,
      method: request.method,
      headers: headersOf(request, headers),
      body: bodyOf(request, options.idleTimer),
      idempotent: request.repeatable,
      headersTimeout: request.body instanceof FileBody ? 0 : options.timeoutMs, // files have an idle timer
      bodyTimeout: request.answer === 'stream' ? options.idleMs : options.timeoutMs,
    };
    // An agent sends a secret to no other origin either; this one would fail the redirect.
    if (request.secretUses !== undefined && url.origin === origin)
      sent.secretUses = request.secretUses;
    const response =
      request.answer === 'stream'
        ? await openStream(dispatcher, sent, options)
        : await receiveResponse(dispatcher, sent, options.idleTimer, limitFor(options));
    const received = joined(response.headers);
    const { status } = response;
    const location = received['location'];
    if (isRedirect(status) && location !== undefined && request.method === 'GET') {
      if (redirects === maxRedirects)
        throw new Error(`the provider redirected more than ${maxRedirects} times`);
      url = new URL(location, url);
      if (url.origin !== origin) headers = without(headers, request.secretHeaders);
      continue;
    }
    if ('stream' in response)
      return { status, headers: received, body: null, text: '[stream]', stream: response.stream };
    const { body, text } = isOk(status)
      ? parseBody(response.bytes, request.answer, received['content-type'] ?? '')
      : parseError(response.bytes);
    return { status, headers: received, body, text };
  }
}

/** Sends a request whose response is passed on as it arrives. The body of a failure is read. */
async function openStream(
  dispatcher: Dispatcher,
  sent: Dispatcher.DispatchOptions,
  { idleTimer }: SendRequestOptions,
): Promise<WholeResponse | (Omit<WholeResponse, 'bytes'> & { stream: Readable })> {
  const {
    statusCode: status,
    headers,
    body,
  } = await dispatcher.request({ ...sent, signal: idleTimer });
  if (isOk(status)) return { status, headers, stream: body };
  return { status, headers, bytes: await readBytes(body, maxErrorBytes, true) };
}

function limitFor({ maxBytes }: SendRequestOptions): (status: number) => BodyLimit {
  return (status) =>
    isOk(status) ? { maxBytes, cuts: false } : { maxBytes: maxErrorBytes, cuts: true };
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

type SentBody = Exclude<Dispatcher.DispatchOptions['body'], undefined>;

function bodyOf({ body }: ProviderRequest, idleTimer: IdleTimer): SentBody {
  // undici takes any iterable, its types only some.
  if (body instanceof FileBody) return body.chunks(idleTimer) as never;
  return body ?? null;
}

function headersOf(
  { body }: ProviderRequest,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  // V8 takes microseconds for a literal with something before or between what it spreads.
  const all = Object.assign({ 'accept-encoding': 'identity' }, headers);
  if (!(body instanceof FileBody) || body.length === undefined) return all;
  return Object.assign(all, { 'content-length': String(body.length) });
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

function joined(headers: WholeResponse['headers']): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined)
      joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}
