import { badRequest, type Fault } from '#contract';
import { keepsField, readsField } from '../records/customer-mapping.js';
import { findChain } from '../records/mapping-chain.js';
import type { OperationRun } from '../operation-run.js';
import type { ProviderRecord } from '../provider-record.js';

/** Refuses a record that is created without a field that the provider needs. @throws ApiError 400 that names each */
export function checkRequired({ offered }: OperationRun, wanted: ProviderRecord): void {
  const missing = (offered.requiredFields ?? []).filter((field) => isEmpty(wanted[field]));
  if (missing.length > 0) throw badRequest(missing.map(requiredFault));
}

function requiredFault(field: string): Fault {
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

/**
 * Refuses a patch that changes a field which the provider does not get, or removes one that it needs.
 * @throws ApiError 400 that points at the elements of the patch
 */
export function checkPatch(run: OperationRun, before: ProviderRecord, after: ProviderRecord): void {
  const { unwritten = [], requiredFields = [] } = run.offered;
  const differs = (field: string) =>
    before[field] !== after[field] &&
    JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null);
  const unwanted = unwritten.filter(differs);
  const changed = Object.fromEntries(unwanted.map((field) => [field, true]));
  const faults: Fault[] = lostFields(run, changed).map((field) => ({
    location: 'body',
    pointer: placeOf(run, field),
    message: `changes ${field}, which the provider cannot write`,
    remediation: 'Leave it out.',
  }));
  for (const field of requiredFields)
    if (differs(field) && isEmpty(after[field]))
      faults.push({ ...requiredFault(field), pointer: placeOf(run, field) });
  if (faults.length > 0) throw badRequest(faults);
}

/** The element of the patch that is about a field. */
function placeOf({ call }: OperationRun, field: string): string {
  const elements = Array.isArray(call.body) ? (call.body as { path?: unknown }[]) : [];
  const index = elements.findIndex(
    ({ path }) => path === `/${field}` || String(path).startsWith(`/${field}/`),
  );
  return index < 0 ? '' : `/${index}/path`;
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
