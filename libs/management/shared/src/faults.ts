import { type ApiError, badRequest, type Fault } from '#contract';

/** A 400 for one place of the request body. @param pointer JSON Pointer into the body. */
export function fault(
  pointer: string,
  message: string,
  more: { value?: unknown; remediation?: string } = {},
): ApiError {
  return badRequest({ location: 'body', pointer, message, ...more });
}

/** A 400 for several places at once. */
export function faults(all: readonly Fault[]): ApiError {
  return badRequest(all);
}
