import { badRequest } from '#contract';
import { MappingError } from '@onefold/mapping';
import type { TenantRecord } from '#store';
import { recordView } from './record.js';

/** Compiles the YAML document in `data`. @throws ApiError 400 for its errors, each at its line and column */
export function compileYaml<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    const [first] = error.faults;
    throw badRequest(
      error.faults.map(({ message, line, column, hint }) => ({
        location: 'body',
        pointer: '/data',
        message: `line ${line}, column ${column}: ${message}`,
        ...(hint === undefined ? {} : { remediation: hint }),
      })),
      { detail: error.message, ...(first?.hint === undefined ? {} : { remediation: first.hint }) },
    );
  }
}

/** A document record in responses. */
export function documentView(record: TenantRecord & { data: string }) {
  const { organizationId: organization_id, data } = record;
  return { ...recordView(record), organization_id, data };
}
