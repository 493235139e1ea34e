import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type EgressPolicy, isRedirect, keepsMethod, readBytes } from '#egress';
import { decompress, parseBody, parseError } from '../bodies/read-body.js';
import { FileBody } from '../bodies/file-body.js';
import type { ProviderRequest, UnreadResponse } from '../provider-request.js';
import type { IdleTimer } from '../bodies/idle-timer.js';
import { bodyCopies, estimateParsed, type MemoryLease } from '../limits/response-memory.js';
import type { DispatchedSecrets } from '../credentials/secret-uses.js';
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
  /** Counts the memory of the response, from its first byte on. */
  memory: MemoryLease;
  /** Adds the credential to a redirected request, which a signature or a parameter of the first one does not fit. */
  authenticate?: (url: URL) => ProviderRequest | Promise<ProviderRequest>;
}

/**
 * Sends one request and reads its response. Redirects are followed, each through the egress policy: those of GET, and at the first origin
 * those that keep method and body (307 and 308). Other origins get neither credentials nor a body.
 * @throws EgressRefused, ResponseTooLarge, ResponseMemoryExhausted, MalformedResponse, and what undici throws
 */
export async function sendRequest(
  request: ProviderRequest,
  options: SendRequestOptions,
): Promise<UnreadResponse> {
  let sent = request;
  const { origin } = request.url;
  for (let redirects = 0; ; redirects += 1) {
    const { url } = sent;
    options.policy.checkUrl(url);
    const dispatcher = (url.origin === origin ? options.own : undefined) ?? options.dispatcher;
    const dispatched = dispatchOf(sent, options);
    const response =
      sent.answer === 'stream'
        ? await openStream(dispatcher, dispatched, options)
        : await receiveResponse(
            dispatcher,
            dispatched,
            options.idleTimer,
            limitFor(options),
            options.memory,
          );
    const received = joined(response.headers);
    const { status } = response;
    const to = redirectOf(sent, status, received['location'], origin);
    if (to !== undefined) {
      if (redirects === maxRedirects)
        throw new Error(`the provider redirected more than ${maxRedirects} times`);
      if ('stream' in response) response.stream.destroy();
      // Another origin must not choose what is asked with the credential, so a way back gets none.
      sent =
        to.origin !== origin || url.origin !== origin
          ? withoutSecrets(sent, to)
          : ((await options.authenticate?.(to)) ?? { ...sent, url: to });
      continue;
    }
    if ('stream' in response)
      return { status, headers: received, body: null, text: '[stream]', stream: response.stream };
    const { answer } = sent;
    const coding = received['content-encoding'];
    const type = received['content-type'] ?? '';
    const bytes = await decompress(
      response.bytes,
      coding,
      answer,
      limitFor(options)(status),
      options.memory,
    );
    options.memory.take(parsedBytes(bytes, answer));
    const { body, text } = isOk(status) ? parseBody(bytes, answer, type) : parseError(bytes, type);
    return { status, headers: received, body, text, bytes: bytes.length };
  }
}

function dispatchOf(
  request: ProviderRequest,
  { idleTimer, idleMs, timeoutMs }: SendRequestOptions,
): DispatchedSecrets {
  const { url, body, secretUses } = request;
  const dispatched: DispatchedSecrets = {
    origin: url.origin,
    path: url.search === '' ? url.pathname : `${url.pathname}${url.search}`,
    method: request.method,
    headers: headersOf(request),
    body: bodyOf(request, idleTimer),
    idempotent: request.repeatable,
    headersTimeout: body instanceof FileBody ? 0 : timeoutMs, // files have an idle timer
    bodyTimeout: request.answer === 'stream' ? idleMs : timeoutMs,
  };
  if (secretUses !== undefined) dispatched.secretUses = secretUses;
  return dispatched;
}

/** Returns the address of a redirect that is followed. */
function redirectOf(
  { method, url, body }: ProviderRequest,
  status: number,
  location: string | undefined,
  origin: string,
): URL | undefined {
  if (!isRedirect(status) || location === undefined) return undefined;
  const to = new URL(location, url);
  if (method === 'GET' || method === 'HEAD') return to;
  const isSent = body instanceof FileBody && body.begun;
  return keepsMethod(status) && to.origin === origin && !isSent ? to : undefined;
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

/** Estimates the memory of a body beside its bytes, once it is parsed. */
function parsedBytes(bytes: Buffer, kind: ProviderRequest['answer']): number {
  if (kind === 'json' || kind === 'ndjson' || kind === 'stream') return estimateParsed(bytes);
  // A file is copied, and becomes base64 in our response, of which there are a text and its bytes.
  return bytes.length * (kind === 'binary' ? bodyCopies + 1 : bodyCopies);
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

function headersOf({ body, headers }: ProviderRequest): Record<string, string> {
  // V8 takes microseconds for a literal with something before or between what it spreads.
  const all = Object.assign({ 'accept-encoding': 'identity' }, headers);
  if (!(body instanceof FileBody) || body.length === undefined) return all;
  return Object.assign(all, { 'content-length': String(body.length) });
}

/** The request for another origin. Its body may hold a secret as well, and an agent would send none of its own there. */
function withoutSecrets(
  { body: _body, secretHeaders, secretUses: _uses, ...request }: ProviderRequest,
  url: URL,
): ProviderRequest {
  const headers = Object.entries(request.headers).filter(([name]) => !secretHeaders.includes(name));
  return { ...request, url, headers: Object.fromEntries(headers), secretHeaders: [] };
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
