import { type Dispatcher, request } from 'undici';
import { EgressRefused, type EgressPolicy, waitMs } from '#egress';

const timeoutMs = 10_000;
/** A receiver has answered with its status; the rest of its response is only shown. */
const maxBodyMs = 2_000;
const maxShownBytes = 1_024;
const maxErrorLength = 300;

/** Reasons for which an attempt fails; few, because they are labels of a metric. */
export type FailureReason =
  | 'address_refused'
  | 'connection'
  | 'no_secret'
  | 'redirect'
  | 'status_4xx'
  | 'status_410'
  | 'status_429'
  | 'status_5xx'
  | 'timeout';

/** How an attempt ended. */
export interface AttemptResult {
  /** Absent if the receiver accepted the delivery. */
  reason?: FailureReason;
  /** One sentence about the failure. */
  error?: string;
  statusCode?: number;
  /** The beginning of the response. */
  response?: string;
  /** The wait that the receiver asked for, in milliseconds. */
  retryAfterMs?: number;
}

export interface Outgoing {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface SendTools {
  dispatcher: Dispatcher;
  policy: EgressPolicy;
  /** Returns the epoch milliseconds to which a date in `Retry-After` is compared. */
  now: () => number;
}

/**
 * Sends a delivery once. Any status from 200 to 299 accepts it; a redirect is not followed, because the address was checked and not
 * where it points to. Never throws: each way to fail is a result.
 */
export async function sendDelivery(
  { url, headers, body }: Outgoing,
  { dispatcher, policy, now }: SendTools,
): Promise<AttemptResult> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    policy.checkUrl(url);
    const answer = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Onefold-Webhooks' },
      body,
      signal,
      headersTimeout: timeoutMs,
      bodyTimeout: maxBodyMs,
    });
    const { statusCode } = answer;
    const response = await readBeginning(answer.body);
    const wait = waitMs(textHeaders(answer.headers), undefined, now());
    return {
      statusCode,
      ...(response === '' ? {} : { response }),
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
      ...failureOf(statusCode),
    };
  } catch (error) {
    return failureToSend(error);
  }
}

function failureOf(status: number): Pick<AttemptResult, 'reason' | 'error'> {
  if (status >= 200 && status < 300) return {};
  const error = `the receiver answered ${status}`;
  if (status === 410 || status === 429) return { reason: `status_${status}`, error };
  if (status >= 500) return { reason: 'status_5xx', error };
  if (status >= 400) return { reason: 'status_4xx', error };
  return { reason: 'redirect', error: `${error}; redirects are not followed` };
}

function failureToSend(error: unknown): AttemptResult {
  const { name, code, message } = error as Error & { code?: string };
  if (error instanceof EgressRefused) return { reason: 'address_refused', error: message };
  if (name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT/.test(code ?? ''))
    return { reason: 'timeout', error: `no response within ${timeoutMs / 1_000} seconds` };
  const detail = [code, message].filter(Boolean).join(': ');
  return { reason: 'connection', error: printable(detail).slice(0, maxErrorLength) };
}

/** Reads as much of a body as is shown, and closes the connection if there is more. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), maxBodyMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxShownBytes - bytes));
      bytes += chunk.length;
      if (bytes > maxShownBytes) break; // leaving the loop destroys the body
    }
  } catch {
    // The status counts; a response that breaks off is shown as far as it came.
  } finally {
    clearTimeout(timer);
  }
  return printable(Buffer.concat(chunks).toString());
}

/** PostgreSQL stores no NUL. */
function printable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}

function textHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const after = headers['retry-after'];
  return typeof after === 'string' ? { 'retry-after': after } : {};
}
