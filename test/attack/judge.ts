import { matchRoute, type Operation } from '#contract';
import { faultsOfResponse } from '#apps/provider-kit';
import type { Attack } from './attack.js';
import type { Exchange } from './framing.js';
import type { RawResponse } from './read-responses.js';
import type { Received } from './send-raw.js';

/** Internal words that callers must not see. */
const internals =
  /node_modules|QueryFailedError|invalid (?:input syntax|byte sequence)|\bTypeError\b|\bRangeError\b|\bSyntaxError\b|\.js:\d+:\d+|ECONNREFUSED .*:5432/;

/** Operations that call a provider, whose failure is a 502. */
const asksProvider = ({ side, id }: Operation) => side === 'connector' || /verify/.test(id);

/** Returns the fault of a response to an attack; undefined without one. */
export function judge(
  { method, framing }: Attack,
  target: string,
  { mayClose, responses: expected }: Exchange,
  { responses, rest, end }: Received,
): string | undefined {
  if (end === 'refused' || end === 'timed out') return `the connection ${end}`;
  const [pathname = ''] = target.split('?');
  const isHead = method === 'HEAD';
  const match = isPlain(framing) ? matchRoute(isHead ? 'GET' : method, pathname) : undefined;
  const operation = match && 'operation' in match ? match.operation : undefined;
  for (const response of responses) {
    const wrong = faultOf(response, operation, isHead);
    if (wrong !== undefined) return `${response.status}: ${wrong}`;
  }
  // A request that is refused before it is parsed may have been a HEAD; the connection closes after it.
  if (rest !== '' && !mayClose && !isHead)
    return `the response is broken off or none of HTTP: ${rest.slice(0, 200)}`;
  if (responses.length === 0 && expected > 0 && !mayClose) return 'there was no response';
  return undefined;
}

/** The operation is known only for requests with a valid framing. */
function isPlain(framing: Attack['framing']): boolean {
  return ['content-length', 'chunked', 'chunked in small pieces', 'in segments'].includes(framing);
}

function faultOf(
  { status, headers, body }: RawResponse,
  operation: Operation | undefined,
  isHead: boolean,
): string | undefined {
  const text = Buffer.from(body, 'latin1').toString('utf8');
  const shown = text.slice(0, 600);
  if (status >= 500 && ![501, 502, 503].includes(status)) return shown;
  if (status === 502 && operation && !asksProvider(operation))
    return `no provider was asked: ${shown}`;
  if (status === 501 && operation?.state === 'served' && operation.side === 'management')
    return `it is served: ${shown}`;
  if (internals.test(text)) return `it tells of the inside: ${shown}`;
  if (isHead || status === 204) return undefined;
  if (status >= 400 && !(headers['content-type'] ?? '').startsWith('application/json'))
    return `is not a Problem but ${headers['content-type'] ?? 'nothing'}: ${shown}`;
  const value = valueOf(text, headers);
  if (operation === undefined) return status >= 400 ? problemFault(value, status) : undefined;
  // Refusals of the HTTP parser happen before an operation is known.
  if (status === 431 || status === 417) return problemFault(value, status);
  const faults = faultsOfResponse(operation, status, value);
  return faults.length === 0
    ? undefined
    : `is against the contract: ${faults.slice(0, 3).join('; ')}: ${shown}`;
}

function valueOf(text: string, headers: Readonly<Record<string, string>>): unknown {
  if (text === '') return undefined;
  if (!(headers['content-type'] ?? '').includes('json')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function problemFault(value: unknown, status: number): string | undefined {
  const problem = value as
    { message?: unknown; status?: unknown; instance?: unknown; occurred_at?: unknown } | undefined;
  const holds =
    typeof problem?.message === 'string' &&
    problem.message !== '' &&
    problem.status === status &&
    typeof problem.instance === 'string' &&
    !Number.isNaN(Date.parse(String(problem.occurred_at)));
  return holds ? undefined : `is not a Problem: ${JSON.stringify(value)?.slice(0, 300)}`;
}
