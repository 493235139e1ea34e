import { completeClasses } from '#contract';
import { findChain, mapBody, mapOwn, mapRecord } from './records/mapping-chain.js';
import type { MappedStep } from './records/mapping-trace.js';
import type { MappingContext, ProviderRecord } from './provider-record.js';
import { openUpload } from './writes/open-upload.js';
import type { OperationRun } from './operation-run.js';
import { createOf, patchRecord } from './writes/patch-record.js';
import { writableMembers } from './writes/writable-members.js';
import { checkPatch, checkRequired } from './writes/written-fields.js';
import type { MappedRequest, ProviderCall } from './provider.js';
import type { SentRecord } from './writes/describe-losses.js';

interface MappedCall {
  request: MappedRequest;
  /** Absent where no record is written. */
  sent?: SentRecord;
}

/**
 * Maps the content of a request to the provider's shape. The file of an upload is opened as far as its content begins; for a patch, the
 * record is read from the provider first. @throws ApiError
 */
export async function mapRequest(run: OperationRun, call: ProviderCall): Promise<MappedCall> {
  const { operation, offered, usage } = run;
  if (operation.request === 'multipart') return { request: { file: await openUpload(run.call) } };
  if (offered.action === 'patch' && offered.current !== undefined) {
    const current = await offered.current(call);
    return usage.work(() => changeOf(run, current));
  }
  if (offered.action !== 'create') return { request: {} };
  const wanted = (run.call.body ?? {}) as ProviderRecord;
  completeClasses(wanted);
  checkRequired(run, wanted);
  const steps = run.trace?.writes(wanted);
  const body = usage.work(() => toProvider(run, wanted, run.context, steps));
  return { request: { body }, sent: { wanted } };
}

/** Applies the JSON Patch in our shape, and maps the record as it was and as it shall be to the provider's. */
function changeOf(run: OperationRun, current: ProviderRecord): MappedCall {
  const { call, operation, offered, context } = run;
  const record = mapRecord(current, [{ reference: 'default:0' }], offered, [], context) ?? {};
  const changed = patchRecord(record, call.body, {
    readOnly: offered.readOnly ?? [],
    known: writableMembers(run, call.body),
    create: createOf(operation),
  });
  checkPatch(run, record, changed);
  // The request may depend on what a patch changed: the mapping reads the record before it at @before.
  const before = throughChain(run, record);
  const change = {
    current,
    before: mapOwn(before, offered, context),
    after: toProvider(run, changed, { ...context, before }, run.trace?.writes(changed)),
  };
  return { request: { change }, sent: { wanted: changed, before: record } };
}

function throughChain({ integration, operation, context }: OperationRun, body: ProviderRecord) {
  return mapBody(body, findChain(integration, operation.id), context);
}

/** Runs a body in our shape through the integration's mappings, then the provider's own. */
function toProvider(
  { integration, operation, offered }: OperationRun,
  body: ProviderRecord,
  context: MappingContext,
  steps?: MappedStep[],
) {
  const mapped = mapBody(body, findChain(integration, operation.id), context, steps);
  return mapOwn(mapped, offered, context, steps);
}
