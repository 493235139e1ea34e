import { Logger } from '@nestjs/common';
import { ApiError, type Caller } from '#contract';
import type { Envelope } from '../bus.js';
import type { Cancellation } from '../cancellation.js';
import { logIds, logOwner } from '../messages/trace.js';

const log = new Logger('bus');

/** The request of a call and the owner of its token, as the log names them. */
export type Named = Pick<Envelope, 'requestId' | 'traceparent'> & { caller?: Caller | null };

/** Logs what failed at the service, with its cause, which the response does not show. Only faults of ours are errors, and have a stack. */
export function logFailure(name: string, named: Named, failure: ApiError, error: unknown): void {
  const { status, message, provider } = failure;
  if (status < 500 || status === 501) return;
  const line = {
    message: 'call failed',
    name,
    ...logIds(named),
    ...logOwner(named.caller),
    ...(provider === undefined ? {} : { provider }),
    status,
  };
  if (status === 500) log.error({ ...line, error: describe(error) });
  else log.warn({ ...line, error: describeBriefly(failure, message) });
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

/** The message of an error and those of its causes. */
function describeBriefly(error: unknown, message: string): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error) || cause.message === message) return message;
  return `${message}; ${describeBriefly(cause, cause.message)}`;
}

/** An error for the log: its stack and those of its causes, no payloads. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\ncaused by ${describe(error.cause)}`;
}
