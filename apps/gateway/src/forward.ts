import type { IncomingMessage } from 'node:http';
import { type Bus, type BusReply, Cancellation, type Envelope, subjectOf } from '#bus';
import type { Caller, Operation } from '#contract';
import { type Exchange, traceparentOf, userAgentOf } from './exchange.js';
import { messageHeaders } from './message-headers.js';
import type { RequestParts } from './read-request.js';
import { Upload } from './upload.js';

/** Data that is forwarded with a request. */
export interface Forwarded {
  parts: RequestParts;
  caller: Caller | null;
  path: Record<string, string>;
  /** Epoch milliseconds. */
  deadline: number;
}

/** Sends a request over the bus to the service of its operation. If the client disconnects, the call is cancelled. */
export async function forward(
  bus: Bus,
  exchange: Exchange,
  operation: Operation,
  { parts, caller, path, deadline }: Forwarded,
  maxUploadBytes: number,
): Promise<BusReply> {
  const { request, response, requestId, address } = exchange;
  const isUpload = operation.request === 'multipart';
  const envelope: Envelope = {
    operation: operation.id,
    caller,
    path,
    query: parts.query,
    meta: parts.meta,
    requestId,
    deadline,
    remoteAddress: address,
    userAgent: userAgentOf(request),
    traceparent: traceparentOf(request),
    idempotencyKey: parts.idempotencyKey,
    contentType: request.headers['content-type'],
    contentLength: isUpload ? lengthOf(request) : undefined,
    range: operation.response.kind === 'binary' ? rangeOf(request) : undefined,
    headers: operation.group === 'hooks' ? messageHeaders(request) : undefined,
  };
  const hangUp = new Cancellation();
  const hungUp = () => {
    if (!response.writableEnded) hangUp.cancel(new Error('the client hung up'));
  };
  if (response.closed)
    hungUp(); // while the token was looked up
  else response.once('close', hungUp);
  exchange.forwarded = true;
  const subject = subjectOf(operation, caller?.category);
  if (!isUpload) return await bus.request(subject, envelope, parts.body, hangUp);
  const upload = new Upload(request, maxUploadBytes, (error) => hangUp.cancel(error));
  try {
    return await bus.request(subject, envelope, upload, hangUp);
  } finally {
    upload.end();
  }
}

/**
 * The header Range, if it asks for one range. Other ranges are ignored, as RFC 9110 allows (14.2), and so are those with If-Range: few
 * providers compare it, and a range of a file that has changed meanwhile must not be returned for it.
 */
function rangeOf({ headers }: IncomingMessage): string | undefined {
  const { range } = headers;
  if (range === undefined || headers['if-range'] !== undefined) return undefined;
  return /^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/.test(range) ? range : undefined;
}

function lengthOf({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}
