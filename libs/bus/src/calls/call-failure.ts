import { Logger } from '@nestjs/common';
import { ApiError } from '#contract';
import type { Envelope } from '../bus.js';
import type { Cancellation } from '../cancellation.js';
import { logIds } from '../messages/trace.js';

const log = new Logger('bus');

/** The fields that identify a call in the log. */
export type Named = Pick<Envelope, 'requestId' | 'traceparent'>;

/** Logs what failed at the service, with its cause, which the response does not show. */
export function logFailure(name: string, named: Named, status: number, error: unknown): void {
  if (status < 500 || status === 501) return;
  log.error({ message: 'call failed', name, ...logIds(named), status, error: describe(error) });
}

/** Logs the error, because the status was already sent. */
export function logBroken(name: string, named: Named, bytes: number, error: unknown): void {
  log.error({
    message: 'the answer broke off',
    name,
    ...logIds(named),
    bytes,
    error: describe(error),
  });
}

/** Returns the reason for cancelling a call whose deadline has passed. */
export function timedOut(): DOMException {
  return new DOMException('the deadline of the call passed', 'TimeoutError');
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** The caller no longer waits for the response. */
export function isGivenUp({ reason }: Cancellation): boolean {
  return reason !== undefined && !isTimeout(reason);
}

/** Converts whatever a handler threw to an error with a status. */
export function callFailure(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (isTimeout(cause))
    return new ApiError(504, 'the deadline passed before the call was answered', { cause });
  return new ApiError(500, 'the service failed', {
    remediation: 'The request id finds the cause in the log of the service.',
    cause,
  });
}

/** An error for the log: its stack and those of its causes, no payloads. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\ncaused by ${describe(error.cause)}`;
}
