import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { BusReply } from '#bus';
import { ApiError } from '#contract';

/** Writes a service's answer: bytes as they are, streams no faster than the client reads. */
export async function writeReply(
  response: ServerResponse,
  reply: BusReply,
  isHead: boolean,
): Promise<void> {
  const { status, headers, body } = reply;
  if (body === undefined || isHead) {
    const length = body instanceof Uint8Array ? { 'content-length': body.length } : {};
    response.writeHead(status, { ...headers, ...(status === 204 ? {} : length) }).end();
    return;
  }
  if (body instanceof Uint8Array) {
    if (status === 204) response.writeHead(status, headers).end();
    else response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
    return;
  }
  response.writeHead(status, headers);
  try {
    for await (const chunk of body) {
      if (response.destroyed) return;
      if (!response.write(chunk))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end();
  } catch {
    response.destroy(); // the status is out: only a broken connection can still say that the rest is missing
  }
}

/** Writes a failure as a Problem. */
export function writeProblem(
  response: ServerResponse,
  error: ApiError,
  requestId: string,
  isHead = false,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(error.toProblem(`/requests/${requestId}`, new Date())));
  response.writeHead(error.status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...error.options.headers,
  });
  response.end(isHead ? undefined : body);
}

/** Whatever was thrown as a failure with a status; what nobody expected is a 500. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(500, 'the service failed', {
    remediation: 'The request id finds the cause in the log of the service.',
    cause: error,
  });
}
