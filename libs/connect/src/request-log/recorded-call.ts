import { ApiError, type ManagementSchemas, operationOf, StreamReply } from '#contract';
import type { ReplayedCall, ResolvedIntegration } from '#bus';
import type { RecordedCall, RecordedRun } from '#store';
import type { ConnectorCall } from '../connector-call.js';

export type ReplayOutcome = ManagementSchemas['ReplayOutcome'];

/** A recorded call that can be run again. */
export interface RecordedRequest {
  operation: ReplayedCall['operation'];
  bodies: RecordedCall['bodies'];
  run: RecordedRun;
}

/** Deadline of a replay by its own clock, which stands still. */
const deadlineMs = 60_000;

/** Returns the call as it was when it was recorded. */
export function recordedCall(
  { operation, run, bodies }: RecordedRequest,
  { organizationId, accountId, id }: ResolvedIntegration,
  signal: AbortSignal,
): ConnectorCall {
  const { path, query, meta, batchId, at } = run;
  const text = bodies.request?.text ?? '';
  return {
    operation,
    path: path as ConnectorCall['path'],
    query,
    meta,
    rawBody: Buffer.from(text),
    ...(text === '' ? {} : { body: JSON.parse(text) as never }),
    ...(batchId === undefined ? {} : { batchId }),
    requestId: 'replay',
    deadline: at + deadlineMs,
    signal,
    caller: { organizationId, accountId, integrationId: id },
  };
}

/** Runs work, and returns what its caller would get: also of one that fails. */
export async function outcomeOf(
  { operation }: ConnectorCall,
  work: () => Promise<object | undefined>,
): Promise<{ status: number; body?: unknown }> {
  try {
    const found = await work();
    if (found instanceof StreamReply)
      return { status: found.status, body: JSON.parse(textOf(found)) as unknown };
    return { status: operationOf(operation).response.status, body: withoutCursor(found) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { instance: _, occurred_at: __, ...problem } = error.toProblem('', new Date(0));
    return { status: error.status, body: problem };
  }
}

/** A cursor is another text each time, so it is told only whether there is one. */
function withoutCursor(found: { cursor?: unknown } | undefined): object | undefined {
  return found?.cursor ? { ...found, cursor: '[cursor]' } : found;
}

/** The answers of dry runs are whole; those with a file are not replayed. */
function textOf({ body }: StreamReply): string {
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  throw new Error('the reply of a replay is a stream');
}
