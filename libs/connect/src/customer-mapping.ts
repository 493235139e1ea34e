import { ApiError } from '#contract';
import { DocumentCache, type DocumentOptions, MappingError, MappingRunError } from '#mapping';
import { sharedTemplate } from '#ocsf';
import type { ProviderRecord } from './provider-record.js';

const documents = new DocumentCache({ shared: sharedTemplate });

/** Makes a mapping of a customer's document. Its failures are 502s that name mapping, template and reason. */
export function customerMapping(
  reference: string,
  data: string,
): (record: ProviderRecord, options?: DocumentOptions) => unknown {
  return (record, options) => {
    try {
      return documents.get(data).run(record, options)?.record;
    } catch (cause) {
      if (!(cause instanceof MappingError || cause instanceof MappingRunError)) throw cause;
      throw new ApiError(502, `the mapping ${reference} failed: ${cause.message}`, {
        remediation: 'POST /v1/mappings/apply runs it on an example.',
        cause,
      });
    }
  };
}

/** False if a customer's mapping certainly does not look at a field of the record. */
export function readsField(data: string, field: string): boolean {
  try {
    return documents.get(data).mayRead(field);
  } catch (error) {
    if (error instanceof MappingError) return true; // its run reports the error
    throw error;
  }
}

/** True if a customer's mapping certainly leaves a field of the record as it is, unless it drops the record. */
export function keepsField(data: string, field: string): boolean {
  try {
    return documents.get(data).keeps(field);
  } catch (error) {
    if (error instanceof MappingError) return false; // its run reports the error
    throw error;
  }
}
