import { type ApiError, badRequest } from '#contract';
import type { MappingError } from '#mapping';

/** A 400 for the faults of a YAML document in `data`, each at its own line and column. */
export function documentFaults(error: MappingError): ApiError {
  const [first] = error.faults;
  return badRequest(
    error.faults.map(({ message, line, column, hint }) => ({
      location: 'body',
      pointer: '/data',
      message: `line ${line}, column ${column}: ${message}`,
      ...(hint === undefined ? {} : { remediation: hint }),
    })),
    { detail: error.message, ...(first?.hint === undefined ? {} : { remediation: first.hint }) },
  );
}
