import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import type { BusReply } from '#bus';
import { ApiError } from '#contract';

const log = new Logger('gateway');
/** How long a client may read nothing, or a service send nothing. */
const silenceMs = 60_000;

/**
 * Writes the response of a service: bytes unchanged, streams with backpressure.
 * @param own headers that the response gets beside those of the reply; setting them before would cost more than all others together
 */
export async function writeReply(
  response: ServerResponse,
  reply: BusReply,
  isHead: boolean,
  own?: OutgoingHttpHeaders,
): Promise<void> {
  const { status, body } = reply;
  // Two spreads in one literal take over a microsecond, this a thirtieth of it.
  const headers: OutgoingHttpHeaders = Object.assign({}, own, reply.headers);
  if (body instanceof Uint8Array && status !== 204) headers['content-length'] = body.length;
  if (isHead && body !== undefined && !(body instanceof Uint8Array))
    await body[Symbol.asyncIterator]().return?.();
  if (body === undefined || isHead) {
    response.writeHead(status, headers).end();
    return;
  }
  if (body instanceof Uint8Array) {
    response.writeHead(status, headers).end(status === 204 ? undefined : body);
    return;
  }
  response.writeHead(status, headers);
  await pipeStream(response, body, own?.['x-request-id']);
}

async function pipeStream(
  response: ServerResponse,
  body: AsyncIterable<Uint8Array>,
  requestId: unknown,
): Promise<void> {
  response.setTimeout(silenceMs, () => response.destroy()); // a client that reads nothing
  try {
    await pipeline(body, response);
  } catch (error) {
    // The status is already sent, so only a broken connection can show that the rest is missing; pipeline has broken it.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      log.warn({
        message: 'the answer broke off',
        request_id: requestId,
        error: error instanceof Error ? error.message : String(error),
      });
  }
}

/** Writes a failure as a Problem. @param own headers that the response gets beside those of the error */
export function writeProblem(
  response: ServerResponse,
  error: ApiError,
  requestId: string,
  isHead = false,
  own?: OutgoingHttpHeaders,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(error.toProblem(`/requests/${requestId}`, new Date())));
  response.writeHead(error.status, {
    ...own,
    'content-type': 'application/json',
    'content-length': body.length,
    ...error.options.headers,
  });
  response.end(isHead ? undefined : body);
}

/** Converts any thrown value to an error with a status; an unexpected one is a 500. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(500, 'the service failed', {
    remediation: 'The request id finds the cause in the log of the service.',
    cause: error,
  });
}
