import { ApiError } from '#contract';
import type { Mapping } from './native.js';

/** The mapping of a customer's document. */
export function documentOf(reference: string, _data: string): Mapping {
  throw new ApiError(
    501,
    `the mapping ${reference} cannot be run: this version runs no mapping documents`,
    {
      remediation: 'Take it out of the chain of the integration.',
    },
  );
}
