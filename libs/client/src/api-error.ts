import type { components } from './generated/connector.js';

/** The body of every refusal and failure of the API. */
export type Problem = components['schemas']['Problem'];

/** A response of the API with an error. The message says what is wrong and, where the API does, what to do. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** The operation, such as `ticketing_get_ticket`. */
    readonly operation: string,
    readonly status: number,
    /** Null if the response is of somebody else, such as a proxy. */
    readonly problem: Problem | null,
    /** The id of the request in the logs of the service; null if the response names none. */
    readonly requestId: string | null,
    readonly headers: Headers,
  ) {
    super(describe(operation, status, problem));
  }

  /** The remedy for the caller, where the API knows one. */
  get remediation(): string | undefined {
    return this.problem?.remediation ?? undefined;
  }
}

/** A call that got no response: there is no connection, or it broke. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    readonly operation: string,
    cause: unknown,
  ) {
    super(`${operation}: no response: ${reasonOf(cause)}`, { cause });
  }
}

/** A call that did not end in its time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';

  constructor(
    readonly operation: string,
    readonly timeoutMs: number,
    cause?: unknown,
  ) {
    super(`${operation}: no response within ${timeoutMs} ms`, { cause });
  }
}

function describe(operation: string, status: number, problem: Problem | null): string {
  if (problem === null) return `${operation}: status ${status} without a problem of the API`;
  const { message, detail, remediation, cause } = problem;
  const faults = (cause ?? []).flatMap((one) => [one.message, one.remediation]);
  const parts: string[] = [];
  // The API repeats what is in one place in another: each is said once.
  for (const text of [message, detail, ...faults, remediation])
    if (text && !parts.some((part) => part.includes(text))) parts.push(text);
  return `${operation}: ${status}: ${parts.join('; ')}`;
}

/** The fetch of Node says only "fetch failed", and why in its cause. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? reasonOf(cause.cause) : cause.message;
}
