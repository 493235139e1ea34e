import type { OperationId, Problem } from '#contract';

/** A response other than success, or none (status 0). */
export class RequestError extends Error {
  constructor(
    readonly problem: Problem,
    readonly operation: OperationId,
    readonly retryAfterSeconds?: number,
    /** The request had a key, by which the service knows it when it is sent again. */
    readonly isRepeatable = false,
  ) {
    super(problem.message);
  }
}

/** The problem of a request that got no response that is one of the service. */
export function withoutResponse(error: unknown): Problem {
  return {
    message: 'the service did not respond',
    remediation: 'Check the connection to the service, then try again.',
    detail: error instanceof Error ? error.message : String(error),
    type: 'urn:onefold:problem:no-response',
    status: 0,
    instance: '/requests/none',
    occurred_at: new Date().toISOString(),
  };
}
