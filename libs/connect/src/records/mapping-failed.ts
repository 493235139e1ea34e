import { ApiError, type ApiErrorOptions } from '#contract';

/** A mapping cannot map a record. It is a 502 that names the mapping, because the caller's request is valid. */
export class MappingFailed extends ApiError {
  constructor(
    readonly reference: string,
    /** Why it failed, without its name. */
    readonly problem: string,
    options: ApiErrorOptions = { remediation: 'POST /v1/mappings/apply runs it on an example.' },
  ) {
    super(502, `the mapping ${reference} failed: ${problem}`, options);
  }
}

export function mappingFailed(reference: string, problem: string, cause?: unknown): MappingFailed {
  return new MappingFailed(reference, problem, {
    remediation: 'POST /v1/mappings/apply runs it on an example.',
    ...(cause === undefined ? {} : { cause }),
  });
}
