import type { FinishedCall } from '#bus';
import { createIds } from '#config';
import { type CallNotes, type NotedExchange, operationOf } from '#contract';
import { kinds, type LoggedRequest, type StoredExchange } from '#store';

const maxPathLength = 500;
const maxMessageLength = 1_000;

/** A call that is to be logged; it has bodies only in the recording of its notes. It is written when it is sent, because most calls are not kept until then. */
export interface LoggedCall extends Pick<
  FinishedCall,
  'operation' | 'requestId' | 'status' | 'durationMs' | 'inBytes' | 'outBytes'
> {
  organizationId: string;
  accountId: string;
  integrationId: string;
  tokenId: string | undefined;
  notes: CallNotes | undefined;
  isDryRun: boolean;
  problem: LoggedRequest['problem'] | undefined;
  /** Epoch milliseconds of the answer. */
  at: number;
  /** Counts towards the limit of calls that wait. */
  size: number;
}

/** Returns what is kept of a call; undefined if it belongs to no integration. */
export function loggedCall(finished: FinishedCall): LoggedCall | undefined {
  const { caller, call, operation, requestId, status, durationMs, inBytes, outBytes } = finished;
  const { organizationId, accountId, integrationId, tokenId } = caller ?? {};
  if (organizationId === undefined || accountId === undefined || integrationId === undefined)
    return undefined;
  if (call !== undefined) call.notes?.recording?.finish(call, finished.answer);
  return {
    organizationId,
    accountId,
    integrationId,
    tokenId,
    operation,
    requestId,
    status,
    durationMs,
    inBytes,
    outBytes,
    notes: call?.notes,
    isDryRun: (call?.query as { dry_run?: unknown } | undefined)?.dry_run === true,
    problem: problemOf(finished),
    at: Date.now(),
    size: 1 + (call?.notes?.exchanges.length ?? 0),
  };
}

/** Messages quote what was sent, so those of requests with a body are left out. */
function problemOf({ failure, operation }: FinishedCall): LoggedRequest['problem'] | undefined {
  if (failure === undefined) return undefined;
  const { type, message } = failure.toProblem('', new Date()) as { type: string; message: string };
  const quotesBody = operationOf(operation).request !== 'none';
  return quotesBody ? { type } : { type, message: message.slice(0, maxMessageLength) };
}

/** Writes a call as the database takes it. @param recent true for one that is kept only while it is among the last */
export function loggedRequest(one: LoggedCall, recent: boolean): LoggedRequest {
  const { notes, problem, tokenId } = one;
  return {
    id: createIds({ now: () => one.at }).next(kinds.requestRecords),
    organization_id: one.organizationId,
    account_id: one.accountId,
    integration_id: one.integrationId,
    request_id: one.requestId,
    ...(tokenId === undefined ? {} : { token_id: tokenId }),
    operation: one.operation,
    ...(notes?.provider === undefined ? {} : { provider: notes.provider }),
    dry_run: one.isDryRun,
    status: one.status,
    duration: microseconds(one.durationMs),
    in_bytes: one.inBytes,
    out_bytes: one.outBytes,
    mappings: (notes?.mappings ?? []).map(({ reference }) => reference),
    exchanges: (notes?.exchanges ?? []).map(storedExchange),
    omitted_exchanges: notes?.omittedExchanges ?? 0,
    ...(problem === undefined ? {} : { problem }),
    recent,
    created_at: new Date(one.at),
  };
}

function storedExchange({
  method,
  url,
  status,
  durationMs,
  bytes,
  shown,
}: NotedExchange): StoredExchange {
  const address = shown(url.href);
  // The address may be the secret, and then it does not begin as it did.
  const isShown = address.startsWith(`${url.origin}/`);
  return {
    method,
    host: isShown ? url.host : shown(url.host),
    path: isShown ? pathOf(address.slice(url.origin.length)) : '[secret]',
    ...(status === undefined ? {} : { status }),
    duration: microseconds(durationMs),
    ...(bytes === undefined ? {} : { bytes }),
  };
}

/** The path without query and fragment. */
function pathOf(address: string): string {
  const end = address.search(/[?#]/);
  return address.slice(0, end === -1 ? undefined : end).slice(0, maxPathLength);
}

function microseconds(ms: number): number {
  return Math.round(ms * 1_000);
}
