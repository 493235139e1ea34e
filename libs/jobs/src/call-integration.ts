import { randomUUID } from 'node:crypto';
import { type Bus, type BusReply, Cancellation, type Envelope, subjectOf } from '#bus';
import {
  ApiError,
  type Caller,
  jobTokenId,
  operationOf,
  type OperationId,
  type Problem,
} from '#contract';
import { logAccess } from '#observe';
import type { Integration } from '#store';

const deadlineMs = { usual: 60_000, polling: 300_000 };

export interface IntegrationRequest {
  operation: OperationId;
  query?: Record<string, unknown>;
  body?: Uint8Array;
  /** Identifies a batch of records for sinks that can tell repeated ones. */
  batchId?: string;
  /** The id of the request that this one is made for; a new one when absent. */
  requestId?: string | null | undefined;
  /** The key of the request that this one is for. */
  idempotencyKey?: string | undefined;
}

/**
 * Runs an operation of an integration as a client with its token does: over the bus, with the integration's permissions. No token is
 * involved, so it works as long as the integration exists. @returns the bytes of the response @throws ApiError
 */
export async function callIntegration(
  bus: Bus,
  { organizationId, accountId, id, category }: Integration,
  purpose: string,
  {
    operation: operationId,
    query = {},
    body,
    batchId,
    idempotencyKey,
    ...request
  }: IntegrationRequest,
): Promise<Uint8Array> {
  const operation = operationOf(operationId);
  const caller: Caller = {
    tokenId: jobTokenId(id),
    scope: 'integration',
    organizationId,
    memberId: '',
    accountId,
    integrationId: id,
    category,
    permissions: [],
  };
  const requestId = request.requestId ?? randomUUID();
  const envelope: Envelope = {
    operation: operationId,
    caller,
    path: {},
    query,
    meta: [],
    requestId,
    batchId,
    idempotencyKey,
    deadline: Date.now() + (operation.polls ? deadlineMs.polling : deadlineMs.usual),
    contentType: body && 'application/json',
    remoteAddress: '',
    userAgent: `onefold job ${purpose}`,
  };
  const subject = subjectOf(operation, category);
  const begun = performance.now();
  let status = 503; // of a call that nobody answers
  try {
    const reply = await bus.request(subject, envelope, body, new Cancellation());
    ({ status } = reply);
    return await readReply(reply);
  } catch (error) {
    if (error instanceof ApiError) ({ status } = error);
    throw error;
  } finally {
    logAccess({ requestId, owner: caller, operation: operationId, status }, begun);
  }
}

/** @returns the bytes of a response @throws ApiError for one that says so */
async function readReply(reply: BusReply): Promise<Uint8Array> {
  const bytes = await readAll(reply.body);
  if (reply.status < 300) return bytes;
  const problem = JSON.parse(Buffer.from(bytes).toString()) as Problem;
  throw new ApiError(reply.status, problem.message, {
    headers: reply.headers,
    ...(problem.type && { kind: problem.type.replace('urn:onefold:problem:', '') }),
    ...(problem.context && { context: problem.context }),
    ...(problem.remediation && { remediation: problem.remediation }),
  });
}

async function readAll(
  body: Uint8Array | AsyncIterable<Uint8Array> | undefined,
): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
