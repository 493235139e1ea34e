import { badRequest } from '#contract';
import { MappingError } from '#mapping';
import type { TenantRecord } from '#store';
import { recordView } from './record.js';

/** Compiles the YAML document in `data`. @throws ApiError 400 for its faults, each at its own line and column */
export function compiled<T>(compile: () => T): T {
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

/** A record that is a document, as answers show it. */
export function documentView(record: TenantRecord & { data: string }) {
  const { organizationId: organization_id, data } = record;
  return { ...recordView(record), organization_id, data };
}
