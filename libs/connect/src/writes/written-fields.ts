import type { Fault } from '#contract';
import { keepsField, readsField } from '../records/customer-mapping.js';
import { findChain } from '../records/mapping-chain.js';
import type { OperationRun } from '../operation-run.js';
import type { ProviderRecord } from '../provider-record.js';

/** Says that a provider needs a field. */
export function requiredFault(field: string): Fault {
  return {
    location: 'body',
    pointer: `/${field}`,
    message: 'is required by the provider',
    remediation: 'Add the field.',
  };
}

/** Returns the fields that a record has and the provider certainly does not get. */
export function lostFields(run: OperationRun, wanted: ProviderRecord): string[] {
  const { integration, operation, offered } = run;
  const { unwritten = [] } = offered;
  const lost = unwritten.filter((field) => !isEmpty(wanted[field]));
  if (lost.length === 0) return lost;
  const own = findChain(integration, operation.id).flatMap(({ data }) => data ?? []);
  // A customer's mapping may write what it reads in such a field to another one.
  return lost.filter((field) =>
    own.every((data) => keepsField(data, field) || !readsField(data, field)),
  );
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
