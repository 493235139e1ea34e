import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '#contract';
import { writeProblem } from './write-answer.js';

export const maxHeaders = 100;

/**
 * The last request of connections, behind which nothing may be read as a request: the connection closes with its response, or it has
 * offered another protocol. Node's parser drops the bytes that have come with such a request, so what follows may begin amid a request.
 */
const lastRequest = new WeakMap<Socket, IncomingMessage>();

/** Makes a request the last of its connection, unless there is one already. */
export function endConnectionWith(request: IncomingMessage): void {
  if (!lastRequest.has(request.socket)) lastRequest.set(request.socket, request);
}

/** Node calls the handler also for what was read behind the last request. @returns true for what must not be read as a request */
export function isBehindLast(request: IncomingMessage, response: ServerResponse): boolean {
  const last = lastRequest.get(request.socket);
  if (last === undefined) return false;
  response.shouldKeepAlive = false;
  return last !== request;
}

/** Refuses what node:http lets pass. @returns true when the request has its response */
export function refuseProtocol(request: IncomingMessage, response: ServerResponse): boolean {
  const problem = problemOf(request);
  if (problem === undefined) return false;
  refuseRequest(request, response, problem);
  return true;
}

/** Node calls this for an `Expect` header other than `100-continue`. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  if (!isBehindLast(request, response)) refuseRequest(request, response, unknownExpectation);
}

function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  problem: ApiError,
): void {
  endConnectionWith(request);
  writeProblem(response, problem, 'none', request.method === 'HEAD');
}

function problemOf({ httpVersion, headers, rawHeaders }: IncomingMessage): ApiError | undefined {
  if (rawHeaders.length > 2 * maxHeaders) return tooManyHeaders;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return unknownVersion;
  if (headers.host === undefined && httpVersion === '1.1') return withoutHost;
  if (countHosts(rawHeaders) > 1) return severalHosts;
  const encoding = headers['transfer-encoding']?.toLowerCase();
  return encoding === undefined || (encoding === 'chunked' && httpVersion === '1.1')
    ? undefined
    : unknownEncoding;
}

/** Node drops all but the first from `headers`. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

function problem(status: number, message: string, remediation: string): ApiError {
  return new ApiError(status, message, { remediation, headers: { connection: 'close' } });
}

const withoutHost = problem(
  400,
  'the Host header is missing',
  'Send the header Host with the name and port of the address.',
);
// A proxy may have checked another one than node keeps.
const severalHosts = problem(
  400,
  'the request has several Host headers',
  'Send one header Host with the name and port of the address.',
);
const tooManyHeaders = problem(
  431,
  `the request has more than ${maxHeaders} headers`,
  `Send at most ${maxHeaders} headers.`,
);
const unknownVersion = problem(400, 'the version of HTTP is not supported', 'Send HTTP/1.1.');
// Node lets the request pass before it refuses its body, and takes a list that ends with `chunked`.
const unknownEncoding = problem(
  400,
  'the Transfer-Encoding header is not chunked, or the request is HTTP/1.0',
  'Send Transfer-Encoding: chunked with HTTP/1.1, or Content-Length.',
);
const unknownExpectation = problem(
  417,
  'the Expect header has an unknown value',
  'Send Expect: 100-continue, or leave the header out.',
);
