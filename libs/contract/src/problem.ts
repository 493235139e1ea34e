import { storableText } from './storable-text.js';
import type { ManagementSchemas } from './schemas.js';

export type Problem = ManagementSchemas['Problem'];
export type ProblemContext = NonNullable<Problem['context']>;
/** A call that tried a configuration; `passed` is null for one that was not sent. */
export type VerificationCheck = ManagementSchemas['VerificationCheck'];
export type ResourceType = ManagementSchemas['ResourceType'];

/** One error of a request, and where it is. */
export interface Fault {
  location: 'header' | 'path' | 'query' | 'body';
  /** JSON Pointer inside a body, otherwise the name of the parameter. */
  pointer: string;
  message: string;
  remediation?: string;
  value?: unknown;
  /** Place in a parameter that is a document; both numbers begin at 1. */
  position?: { line: number; column: number };
}

export interface ApiErrorOptions {
  detail?: string;
  /** Distinguishes errors with the same status: the last part of the Problem's type. */
  kind?: string;
  /** How the caller can fix it. */
  remediation?: string;
  context?: ProblemContext;
  faults?: readonly Fault[];
  /** Response headers, such as `retry-after`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

const codes: Record<number, string> = {
  400: 'bad-request',
  401: 'unauthorized',
  402: 'payment-required',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  409: 'conflict',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  417: 'expectation-failed',
  429: 'too-many-requests',
  431: 'headers-too-large',
  500: 'internal',
  501: 'not-implemented',
  502: 'bad-gateway',
  503: 'unavailable',
  504: 'deadline-passed',
};

const maxValueLength = 200;
/** Keys of a body can be as long as the whole body. */
const maxPointer = 500;

/** An error with an HTTP status. Any other error that is thrown is a bug and becomes a 500. */
export class ApiError extends Error {
  /** The provider type of the call that failed, such as `ticketing_jira`, for the log. */
  provider?: string;

  constructor(
    readonly status: number,
    message: string,
    readonly options: ApiErrorOptions = {},
  ) {
    // Errors are stored, in jobs, states and the audit trail, and may quote a third party.
    super(
      storableText(message),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'ApiError';
  }

  /** Converts the error to its wire form. @param instance a URI reference of this occurrence, such as `/requests/<request id>` */
  toProblem(instance: string, occurredAt: Date): Problem {
    const { detail, kind, remediation, context, faults = [] } = this.options;
    const [first] = faults;
    const parameter = first && parameterOf(first);
    return {
      message: this.message,
      type: `urn:onefold:problem:${kind ?? codes[this.status] ?? 'error'}`,
      status: this.status,
      occurred_at: occurredAt.toISOString(),
      instance,
      ...(detail === undefined ? {} : { detail }),
      ...(remediation === undefined ? {} : { remediation }),
      ...(context || parameter
        ? { context: { ...context, ...(parameter ? { parameter } : {}) } }
        : {}),
      ...(faults.length === 0 ? {} : { cause: faults.map(causeOf) }),
    } as Problem;
  }
}

function causeOf(fault: Fault): object {
  return {
    message: fault.message,
    type: 'urn:onefold:problem:fault',
    ...(fault.remediation === undefined ? {} : { remediation: fault.remediation }),
    context: { parameter: parameterOf(fault) },
  };
}

function parameterOf({ pointer, location, value, position }: Fault) {
  return {
    id: pointer.slice(0, maxPointer),
    location,
    ...(value === undefined ? {} : { value: shown(value) }),
    ...(position === undefined ? {} : { position }),
  };
}

/** A value as it may stand in a Problem: a text, and not a long one. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? typeof value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

/** Creates a 400 error; the first fault provides the message. */
export function badRequest(
  faults: Fault | readonly Fault[],
  options: ApiErrorOptions = {},
): ApiError {
  const all = 'message' in faults ? [faults] : faults;
  const [first] = all;
  const where = first
    ? `${first.location} ${first.pointer.slice(0, maxPointer) || '/'}: ${first.message}`
    : 'the request is invalid';
  return new ApiError(400, where, {
    ...(first?.remediation === undefined ? {} : { remediation: first.remediation }),
    ...options,
    faults: all,
  });
}

export function unauthorized(message: string, remediation: string): ApiError {
  return new ApiError(401, message, { remediation, headers: { 'www-authenticate': 'Bearer' } });
}

export function forbidden(message: string, remediation: string): ApiError {
  return new ApiError(403, message, { remediation });
}

/** 404 for a record that does not exist, or that the caller may not know of. @param type a resource type, or words for others */
export function notFound(type: string, id: string): ApiError {
  const words = type.replaceAll('_', ' ');
  return new ApiError(404, `there is no ${words} "${shown(id)}"`, {
    remediation: `List the ${words}s to see which exist; the token may be limited to some of them.`,
    ...(isResourceType(type) ? { context: { resources: [{ type, id, rel: 'cause' }] } } : {}),
  });
}

const resourceTypes = new Set(
  'account bridge credential integration_point integration member operation organization_webhook role sub_org token transform'.split(
    ' ',
  ),
);

function isResourceType(type: string): type is ResourceType {
  return resourceTypes.has(type);
}

export function conflict(message: string, remediation: string): ApiError {
  return new ApiError(409, message, { remediation });
}

export function notImplemented(message: string, remediation: string): ApiError {
  return new ApiError(501, message, { remediation });
}
