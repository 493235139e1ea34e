import { ApiError, badRequest, type Fault } from '#contract';

/** Creates a 400 for one place of the request body. @param pointer JSON Pointer into the body */
export function fault(
  pointer: string,
  message: string,
  more: Pick<Fault, 'value' | 'remediation' | 'position'> = {},
): ApiError {
  return badRequest({ location: 'body', pointer, message, ...more });
}

/** Creates a 400 for several places at once. */
export function faults(all: readonly Fault[]): ApiError {
  return badRequest(all);
}

/**
 * Runs work on a part of the body, and prefixes the pointers of its errors with the place of the part.
 * @param pointer place of the part
 */
export async function faultsBelow<T>(pointer: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.options.faults === undefined) throw error;
    const all = error.options.faults.map((one) =>
      one.location === 'body' ? { ...one, pointer: pointer + one.pointer } : one,
    );
    throw badRequest(all, { ...error.options, cause: error });
  }
}
