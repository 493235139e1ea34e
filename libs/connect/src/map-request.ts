import { badRequest, completeClasses } from '#contract';
import { findChain, mapBody, mapOwn, mapRecord } from './records/mapping-chain.js';
import type { MappedStep } from './records/mapping-trace.js';
import type { MappingContext, ProviderRecord } from './provider-record.js';
import { openUpload } from './writes/open-upload.js';
import type { OperationRun } from './operation-run.js';
import { patchRecord } from './writes/patch-record.js';
import { isEmpty, requiredFault } from './writes/written-fields.js';
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
  const isUpload = operation.request === 'multipart';
  if (!isUpload && offered.action === 'create') return mapCreate(run);
  if (!isUpload && offered.action === 'patch' && offered.current !== undefined) {
    const current = await offered.current(call);
    return usage.work(() => mapPatch(run, current));
  }
  return { request: isUpload ? { file: await openUpload(run.call) } : {} };
}

/** Maps a record that is created. */
function mapCreate(run: OperationRun): MappedCall {
  const { offered, context, trace, usage } = run;
  const wanted = (run.call.body ?? {}) as ProviderRecord;
  completeClasses(wanted);
  const missing = (offered.requiredFields ?? []).filter((field) => isEmpty(wanted[field]));
  if (missing.length > 0) throw badRequest(missing.map(requiredFault));
  const body = usage.work(() => toProvider(run, wanted, context, trace?.writes(wanted)));
  return { request: { body }, sent: { wanted } };
}

/** Applies the JSON Patch in our shape, and maps the record as it was and as it shall be to the provider's. */
function mapPatch(run: OperationRun, current: ProviderRecord): MappedCall {
  const { integration, operation, offered, context } = run;
  const record = mapRecord(current, [{ reference: 'default:0' }], offered, [], context) ?? {};
  const changed = patchRecord(run, record);
  // The request may depend on what a patch changed: the mapping reads the record before it at @before.
  const before = mapBody(record, findChain(integration, operation.id), context);
  const change = {
    current,
    before: mapOwn(before, offered, context),
    after: toProvider(run, changed, { ...context, before }, run.trace?.writes(changed)),
  };
  return { request: { change }, sent: { wanted: changed, before: record } };
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
