import { ApiError } from '#contract';
import {
  type CompiledDocument,
  DocumentCache,
  type DocumentOptions,
  MappingError,
  MappingRunError,
} from '@onefold/mapping';
import { sharedTemplate } from '#ocsf';
import { mappingFailed } from './mapping-failed.js';
import type { ProviderRecord } from '../provider-record.js';

const documents = new DocumentCache({ shared: sharedTemplate });

/** Compiles a customer's document to a mapping. Its failures are 502s that name mapping, template and reason. */
export function customerMapping(
  reference: string,
  data: string,
): (record: ProviderRecord, options?: DocumentOptions) => unknown {
  const name = nameOf(reference);
  return (record, options) => {
    try {
      return documents.get(data).run(record, { ...options, name })?.record;
    } catch (cause) {
      if (cause instanceof MappingRunError) throw mappingFailed(reference, cause.message, cause);
      if (!(cause instanceof MappingError)) throw cause;
      throw new ApiError(502, `the mapping ${reference} failed: ${cause.message}`, {
        remediation: 'POST /v1/mappings/apply runs it on an example.',
        cause,
      });
    }
  };
}

/** Describes the line of a customer's mapping that sets a field; undefined where that is not known. */
export function locateCustomerField(
  reference: string,
  data: string,
  path: readonly string[],
): string | undefined {
  return readDocument(data, (document) => document.locateField(path, nameOf(reference)), undefined);
}

/** Returns a reference without its version. */
function nameOf(reference: string): string {
  return reference.replace(/:\d+$/, '');
}

/** False if a customer's mapping certainly does not look at a field of the record. */
export function readsField(data: string, field: string): boolean {
  return readDocument(data, (document) => document.mayRead(field), true);
}

/** True if a customer's mapping certainly leaves a field of the record as it is, unless it drops the record. */
export function keepsField(data: string, field: string): boolean {
  return readDocument(data, (document) => document.keeps(field), false);
}

/** Returns a property of a mapping, or `otherwise` if it does not compile, which its run reports. */
function readDocument<T>(data: string, read: (document: CompiledDocument) => T, otherwise: T): T {
  try {
    return read(documents.get(data));
  } catch (error) {
    if (error instanceof MappingError) return otherwise;
    throw error;
  }
}
