import { type Dispatcher, request as send } from 'undici';
import { systemClock } from '#config';
import type { CallAborts } from '#contract';
import { Attempts } from './attempts.js';
import { decodedContent } from './decode-content.js';
import { decodeText } from './decode-text.js';
import type { EgressPolicy } from './egress-policy.js';
import { hostFailureOf, isTimeout, wasSent } from './host-failure.js';
import { readBytes } from './read-bytes.js';
import { isRedirect, keepsMethod, passingStatuses } from './statuses.js';
import { waitMs } from './wait-times.js';

/** Far more than any token or any words about it. */
const maxBytes = 262_144;
const maxAttempts = 3;
const maxRedirects = 3;
const attemptTimeoutMs = 10_000;

/** Where requests go out. */
export interface Outgoing {
  dispatcher: Dispatcher;
  policy: Pick<EgressPolicy, 'checkUrl'>;
  /** Identifies the network, if it is not the direct one. */
  key?: string;
  /** Shared with other requests of the process, so that they pause together. */
  attempts?: Attempts | undefined;
}

/** A small request that is not a call of a provider's API, such as for a token. */
export interface TextRequest {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** False for what has an effect: it is repeated only where the host has not begun it (429, 503, no connection). */
  isRepeatable: boolean;
}

export interface TextResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The wait that it asks for. */
  retryAfterMs?: number | undefined;
}

export interface SendTextOptions {
  /** The organization that a failure counts for. */
  organizationId: string;
  signal: CallAborts;
  /** Epoch milliseconds. */
  deadline: number;
  /** Returns the status that a response means, where its own says something else. */
  statusOf?: (response: TextResponse) => number;
}

/** A request that got no response. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';

  constructor(
    override readonly cause: unknown,
    readonly timedOut: boolean,
  ) {
    super(timedOut ? 'it did not answer in time' : reasonOf(cause), { cause });
  }
}

type Attempt = { hostFailure: string | undefined; retryAfterMs?: number | undefined } & (
  { response: TextResponse } | { error: unknown }
);

/**
 * Sends a request and returns its response, whatever the status, with the retries, pauses and circuits that calls of providers have. Every
 * address passes the egress policy. A redirect that keeps the method is followed at the same origin only, because the request has a secret.
 * @throws EgressRefused, NoResponse, ResponseTooLarge, ApiError 503 while the host is paused, or the reason of the signal
 */
export async function sendText(
  request: TextRequest,
  outgoing: Outgoing,
  options: SendTextOptions,
): Promise<TextResponse> {
  // Alone it needs to know one host: memory for as many as usual takes longer than the request.
  const { attempts = new Attempts({ clock: systemClock, maxHosts: 1 }) } = outgoing;
  const { organizationId, signal, deadline, statusOf = ({ status }) => status } = options;
  const last = await attempts.run<Attempt>({
    url: request.url,
    organizationId,
    signal,
    deadline,
    maxAttempts,
    host: outgoing.key === undefined ? request.url.origin : `${request.url.origin} ${outgoing.key}`,
    attempt: () => attempt(request, outgoing, options),
    mayRepeat: (result) => {
      if (signal.aborted) return false;
      if ('error' in result) return isRepeated(request, result);
      const status = statusOf(result.response);
      if (status === 429 || status === 503) return true;
      return request.isRepeatable && passingStatuses.includes(status);
    },
  });
  if ('response' in last) return { ...last.response, status: statusOf(last.response) };
  if (signal.aborted) throw signal.reason as Error;
  throw new NoResponse(last.error, isTimeout(last.error));
}

function isRepeated(
  { isRepeatable }: TextRequest,
  { hostFailure, error }: Extract<Attempt, { error: unknown }>,
): boolean {
  return hostFailure !== undefined && (isRepeatable || !wasSent(error));
}

async function attempt(
  request: TextRequest,
  outgoing: Outgoing,
  options: SendTextOptions,
): Promise<Attempt> {
  const stop = new AbortController();
  const giveUp = () => stop.abort(options.signal.reason);
  options.signal.addEventListener('abort', giveUp, { once: true });
  if (options.signal.aborted) giveUp();
  const timer = setTimeout(() => stop.abort(new AttemptTimeout()), attemptTimeoutMs);
  try {
    const response = await follow(request, outgoing, stop.signal);
    const { status, retryAfterMs } = response;
    const isBroken = status >= 500 && status !== 501;
    return { response, retryAfterMs, hostFailure: isBroken ? `it answered ${status}` : undefined };
  } catch (error) {
    const timedOut = isTimeout(error);
    const hostFailure = options.signal.aborted ? undefined : hostFailureOf(error, timedOut);
    if (hostFailure === undefined && !options.signal.aborted) throw error;
    return { error, hostFailure };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', giveUp);
  }
}

async function follow(
  request: TextRequest,
  { dispatcher, policy }: Outgoing,
  signal: AbortSignal,
): Promise<TextResponse> {
  let { url } = request;
  for (let redirects = 0; ; redirects += 1) {
    policy.checkUrl(url);
    const response = await once({ ...request, url }, dispatcher, signal);
    const { location } = response.headers;
    const to =
      location !== undefined && keepsMethod(response.status) ? URL.parse(location, url.href) : null;
    if (to?.origin !== request.url.origin || redirects === maxRedirects) return response;
    url = to;
  }
}

async function once(
  { method, url, headers, body }: TextRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<TextResponse> {
  const answer = await send(url, { dispatcher, method, headers, body: body ?? null, signal });
  const received = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]),
  );
  const bytes = await readBytes(answer.body, maxBytes);
  const content = decodedContent(bytes, received['content-encoding'] ?? '');
  const decoded = content === undefined ? bytes : await readBytes(content, maxBytes);
  const status = answer.statusCode;
  const asked = waitMs(received, status === 429 ? [] : undefined, Date.now());
  return {
    status,
    headers: received,
    text: decodeText(decoded, received['content-type']),
    ...(asked === undefined || status < 300 ? {} : { retryAfterMs: asked }),
  };
}

/** One attempt took too long. */
class AttemptTimeout extends Error {
  readonly code = 'UND_ERR_ATTEMPT_TIMEOUT';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  return error.message || (typeof code === 'string' ? code : error.name);
}

/** Returns the origin that a response redirects to, other than the one that was asked. */
export function redirectedTo({ status, headers }: TextResponse, url: URL): string | undefined {
  const { location } = headers;
  if (!isRedirect(status) || location === undefined) return undefined;
  return URL.parse(location, url.href)?.origin;
}
