import { ApiError } from '#contract';
import { internalCallRules } from './internal-call-rules.js';
import type { InternalCalls } from './internal-calls.js';
import {
  BusUnreachable,
  ConnectionLost,
  DeadlinePassed,
  NoResponders,
  ProcessGone,
} from '../transport.js';

/** Names the service that serves a subject in an error for the caller. */
function serviceOf(subject: string): string {
  const [, , owner = ''] = subject.split('.');
  if (subject.startsWith('onefold.bridge.')) return 'the gateway with an agent of the bridge';
  if (owner === 'management') return 'the management service';
  if (subject.startsWith('onefold.v1.')) return `the connector service of ${owner}`;
  const name = subject.slice('onefold.internal.'.length);
  const { servedBy } = internalCallRules[name as keyof InternalCalls];
  return servedBy === 'management' ? 'the management service' : 'the connector service';
}

/** Converts a failure of the bus to an error for the caller of the API. */
export function busFailure(
  error: unknown,
  { idempotencyKey }: { idempotencyKey?: string | undefined } = {},
): unknown {
  if (error instanceof NoResponders)
    return new ApiError(503, `${serviceOf(error.subject)} is not running`, {
      remediation:
        'Try again in a moment; /health/ready of each process tells its operator what it lacks.',
      headers: { 'retry-after': '1' },
      cause: error,
    });
  if (error instanceof BusUnreachable)
    return new ApiError(503, 'this process is not connected to the other services', {
      remediation:
        'Try again in a moment. Operators: NATS does not answer; the log of each process says since when.',
      headers: { 'retry-after': '1' },
      cause: error,
    });
  if (error instanceof ConnectionLost)
    return unknownOutcome(
      'the connection between the services broke during the call',
      idempotencyKey,
      error,
    );
  if (error instanceof ProcessGone)
    return unknownOutcome('the process that took the call has ended', idempotencyKey, error);
  if (error instanceof DeadlinePassed)
    return new ApiError(504, `${serviceOf(error.subject)} did not answer before the deadline`, {
      remediation: 'Ask for less at a time, or try again.',
      cause: error,
    });
  return error;
}

function unknownOutcome(
  message: string,
  idempotencyKey: string | undefined,
  cause: Error,
): ApiError {
  return new ApiError(503, message, {
    detail: 'The outcome is unknown: the call may have been carried out.',
    remediation:
      idempotencyKey === undefined
        ? 'Before you send a write again, look whether it was carried out: list or get the record that it creates or changes. With an Idempotency-Key a create can be sent again safely.'
        : 'Try again with the same Idempotency-Key: the call is not carried out twice.',
    headers: { 'retry-after': '1' },
    cause,
  });
}
