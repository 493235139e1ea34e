import { completeClasses, type Operation, type OperationId, operations } from '#contract';
import { findChain, mapRecord, mapBody } from './mapping-chain.js';
import type { MappedStep } from './mapping-trace.js';
import type { ProviderRecord } from './provider-record.js';
import { openUpload } from './open-upload.js';
import type { OperationRun } from './operation-run.js';
import { patchRecord } from './patch-record.js';
import { writableMembers } from './writable-members.js';
import { checkPatch, checkRequired } from './written-fields.js';
import type { MappedRequest, ProviderCall, RecordChange } from './provider.js';

/**
 * Maps the content of a request to the provider's shape. The file of an upload is opened as far as its content begins; for a patch, the
 * record is read from the provider first. @throws ApiError
 */
export async function mapRequest(run: OperationRun, call: ProviderCall): Promise<MappedRequest> {
  const { operation, offered, usage } = run;
  if (operation.request === 'multipart') return { file: await openUpload(run.call) };
  if (offered.action === 'patch' && offered.current !== undefined) {
    const current = await offered.current(call);
    return { change: usage.work(() => changeOf(run, current)) };
  }
  if (offered.action !== 'create') return {};
  const wanted = (run.call.body ?? {}) as ProviderRecord;
  completeClasses(wanted);
  run.wanted = wanted;
  checkRequired(run, wanted);
  return { body: usage.work(() => toProvider(run, wanted, run.trace?.writes(wanted))) };
}

/** Applies the JSON Patch in our shape, and maps the record as it was and as it shall be to the provider's. */
function changeOf(run: OperationRun, current: ProviderRecord): RecordChange {
  const { call, operation, offered, context } = run;
  const record = mapRecord(current, [{ reference: 'default:0' }], offered, [], context) ?? {};
  const changed = patchRecord(record, call.body, {
    readOnly: offered.readOnly ?? [],
    known: writableMembers(run, call.body),
    create: createOf(operation),
  });
  checkPatch(run, record, changed);
  run.wanted = changed;
  return {
    current,
    before: toProvider(run, record),
    after: toProvider(run, changed, run.trace?.writes(changed)),
  };
}

/** Returns the create operation of the records that an operation writes. */
export function createOf({ id }: Operation): Operation | undefined {
  return operations.get(id.replace('_patch_', '_create_') as OperationId);
}

function toProvider(
  { integration, operation, offered, context }: OperationRun,
  body: ProviderRecord,
  steps?: MappedStep[],
) {
  return mapBody(body, findChain(integration, operation.id), offered, context, steps);
}
