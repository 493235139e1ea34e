import {
  badRequest,
  type Fault,
  type Operation,
  type OperationId,
  operations,
  recordMembers,
  validateBody,
} from '#contract';
import { applyPatch, type KnownMembers, parsePointer, PatchError } from '#patch';
import type { OperationRun } from '../operation-run.js';
import type { ProviderRecord } from '../provider-record.js';
import { readsField } from '../records/customer-mapping.js';
import { findChain } from '../records/mapping-chain.js';
import { isEmpty, lostFields, requiredFault } from './written-fields.js';

/**
 * Applies the JSON Patch of a request to a record in our shape. Read-only fields cannot be changed, unknown ones are refused, and the result
 * must be valid as a new record.
 * @throws ApiError 400 that points at the element of the body
 */
export function patchRecord(run: OperationRun, record: ProviderRecord): ProviderRecord {
  const { call, offered } = run;
  const candidate = patched(record, call.body, {
    readOnly: offered.readOnly ?? [],
    known: writableMembers(run),
  });
  const create = createOf(run.operation);
  // Records of custom operations have no shape in the contract.
  const faults =
    create?.request === 'json' && !create.id.startsWith('custom_')
      ? newFaults(create, record, candidate)
      : [];
  if (faults.length > 0) throw badRequest(faults);
  checkPatch(run, record, candidate);
  return candidate;
}

/** Returns the create operation of the records that an operation writes. */
export function createOf({ id }: Operation): Operation | undefined {
  return operations.get(id.replace('_patch_', '_create_') as OperationId);
}

/**
 * Returns the members that a patch may write: those of the contract, and those that a mapping of the request reads. `unmapped` contains
 * what the provider has beyond the contract, so nothing is written from there unless a mapping does so.
 */
function writableMembers({ integration, operation, offered, call }: OperationRun): KnownMembers {
  const known = recordMembers(operation.id);
  if (known === true) return true;
  const { unmapped: _, ...members } = known;
  const own = findChain(integration, operation.id).flatMap(({ data }) => data ?? []);
  const isRead = (field: string) =>
    offered.readsField?.(field) === true || own.some((data) => readsField(data, field));
  const others = namedFields(call.body).filter(
    (name) => !Object.hasOwn(members, name) && isRead(name),
  );
  return { ...members, ...Object.fromEntries(others.map((name) => [name, true as const])) };
}

/** Returns the fields at the top of the record that the operations of a patch name. */
function namedFields(patch: unknown): string[] {
  const steps = Array.isArray(patch) ? (patch as { path?: unknown }[]) : [];
  return steps.flatMap(({ path }) => {
    const [name] = (typeof path === 'string' ? parsePointer(path) : undefined) ?? [];
    return name === undefined ? [] : [name];
  });
}

function patched(
  record: ProviderRecord,
  patch: unknown,
  { readOnly, known }: { readOnly: readonly string[]; known: KnownMembers },
): ProviderRecord {
  if (!Array.isArray(patch))
    throw badRequest({
      location: 'body',
      pointer: '',
      message: 'must be a JSON Patch',
      remediation: 'Send a list of operations, such as [{"op": "replace", "path": …, "value": …}].',
    });
  try {
    return applyPatch(
      record,
      patch,
      readOnly.map((field) => [field]),
      known,
    );
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const { message, pointer, remediation, value } = error;
    throw badRequest({
      location: 'body',
      pointer,
      message,
      ...(remediation === undefined ? {} : { remediation }),
      ...(value === undefined ? {} : { value }),
    });
  }
}

/** Finds errors that the patch has caused, as opposed to those that the provider's record had before. */
function newFaults(create: Operation, before: ProviderRecord, after: ProviderRecord): Fault[] {
  const known = new Set(validateBody(create, before).map(({ pointer }) => pointer));
  return validateBody(create, after).filter(({ pointer }) => !known.has(pointer));
}

/**
 * Refuses a patch that changes a field which the provider does not get, or removes one that it needs.
 * @throws ApiError 400 that points at the elements of the patch
 */
function checkPatch(run: OperationRun, before: ProviderRecord, after: ProviderRecord): void {
  const { unwritten = [], requiredFields = [] } = run.offered;
  const differs = (field: string) =>
    before[field] !== after[field] &&
    JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null);
  const unwanted = unwritten.filter(differs);
  const changed = Object.fromEntries(unwanted.map((field) => [field, true]));
  const faults: Fault[] = lostFields(run, changed).map((field) => ({
    location: 'body',
    pointer: placeOf(run.call.body, field),
    message: `changes ${field}, which the provider cannot write`,
    remediation: 'Leave it out.',
  }));
  for (const field of requiredFields)
    if (differs(field) && isEmpty(after[field]))
      faults.push({ ...requiredFault(field), pointer: placeOf(run.call.body, field) });
  if (faults.length > 0) throw badRequest(faults);
}

/** The element of the patch that is about a field. */
function placeOf(patch: unknown, field: string): string {
  const elements = Array.isArray(patch) ? (patch as { path?: unknown }[]) : [];
  const index = elements.findIndex(
    ({ path }) => path === `/${field}` || String(path).startsWith(`/${field}/`),
  );
  return index < 0 ? '' : `/${index}/path`;
}
