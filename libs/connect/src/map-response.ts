import { operationOf, type Problem, StreamReply } from '#contract';
import type { Cursors } from '#secrets';
import { DryRunReply } from './dry-run-reply.js';
import { describeLosses, type SentRecord } from './writes/describe-losses.js';
import type { ListPage } from './lists/page.js';
import type { ProviderRecord } from './provider-record.js';
import type { CallResult } from './provider-call.js';
import type { RecordChecks } from './records/record-checks.js';
import { readRecords } from './records/record-reader.js';
import type { OperationRun } from './operation-run.js';
import type { InformationalProblem } from './problems.js';

/** The result of a connector operation. The record or records are in the field that the contract names, mostly `result`. */
export interface OperationResult {
  result?: unknown;
  cursor?: string;
  /** Whether the provider has finished, of operations whose response says it. */
  status?: 'PENDING' | 'COMPLETE';
  meta?: object;
  messages?: { problems: Problem[] };
  [field: string]: unknown;
}

/** Maps the provider's result to our shape, and adds the results of meta functions. */
export async function mapResponse(
  run: OperationRun,
  found: CallResult,
  cursors: Cursors,
  { checks, sent }: { checks?: RecordChecks | undefined; sent?: SentRecord | undefined } = {},
): Promise<OperationResult | StreamReply | undefined> {
  if ('none' in found) return undefined;
  const noteLosses = (written?: ProviderRecord) => {
    if (sent === undefined) return;
    for (const one of describeLosses(run, sent, written)) run.problems.add(one);
  };
  if ('pausedAt' in found) {
    const messages = run.problems.render(run.clock.now());
    return { status: 'PENDING', cursor: found.pausedAt, ...(messages && { messages }) };
  }
  if ('rehearsed' in found) {
    noteLosses();
    const problems = run.problems.render(run.clock.now())?.problems ?? [];
    const confirm = run.danger?.issue(cursors, run.clock.now());
    return new DryRunReply({ requests: found.rehearsed, problems, ...(confirm && { confirm }) });
  }
  if ('value' in found) {
    noteLosses();
    return responseOf(run, found.value);
  }
  if ('file' in found) {
    const { status, headers, content } = found.file;
    return new StreamReply(status, { ...headers }, content);
  }
  const { result, ...page } = await readRecords(run, found, cursors, checks);
  noteLosses(Array.isArray(result) ? undefined : result);
  return responseOf(run, result, page);
}

/** Makes the response in the shape of the called operation, which differs from that of the operation that ran in `custom`. */
function responseOf(
  run: OperationRun,
  result: unknown,
  { cursor = '', waits = false }: Omit<ListPage, 'rows'> = {},
): OperationResult {
  const { meta, call, trace, redactor, problems, offered } = run;
  const { record, cursor: isList, progress } = operationOf(call.operation).response;
  if (trace !== undefined) meta.traced(run.operation.id, trace.render(redactor));
  const rendered = meta.render();
  if (run.capped && offered.polls) problems.add(pollCapped(run));
  const messages = problems.render(run.clock.now());
  // Put together by assignments: spreading objects cost several microseconds of every call.
  const response: OperationResult = record === null ? { ...(result as ProviderRecord) } : {};
  if (record !== null) response[record] = result;
  if (isList) response.cursor = cursor;
  if (progress) response.status = waits ? 'PENDING' : 'COMPLETE';
  if (rendered !== undefined) response.meta = rendered;
  if (messages !== undefined) response.messages = messages;
  return response;
}

/** "`request/poll_timeout` exceeds the context deadline: success with an informational problem entry" (specification, errors). */
function pollCapped({ deadline }: OperationRun): InformationalProblem {
  return {
    message: 'the poll timeout is longer than the request may take',
    detail: `The provider was asked until the deadline of the request, ${new Date(deadline).toISOString()}.`,
    instance: 'poll-timeout-capped',
  };
}
