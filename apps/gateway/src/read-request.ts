import {
  badRequest,
  completeClasses,
  type Fault,
  loadValidatorOf,
  type Operation,
  readQuery,
  textFault,
  validateBody,
} from '#contract';
import type { BodyBudget } from './body-budget.js';
import type { Exchange } from './exchange.js';
import { readBody } from './read-body.js';

export const maxMeta = 20;
/** Most requests have no query, and this is half of the cost of reading it. */
const noSearch = new URLSearchParams();

/** The validated parts of a request, without the path. */
export interface RequestParts {
  query: Record<string, unknown>;
  meta: string[];
  /** The bytes of a JSON body; undefined without a body or for an upload. */
  body: Uint8Array | undefined;
  idempotencyKey: string | undefined;
}

/** Reads and validates path, query, body and meta function calls. @throws ApiError 400, 408, 413, 415 or 503 */
export async function readRequest(
  exchange: Exchange,
  operation: Operation,
  path: Record<string, string>,
  budget: BodyBudget,
  maxBodyBytes: number,
): Promise<RequestParts> {
  const { request, search, address, method } = exchange;
  const { query, faults } = readQuery(
    operation,
    search === '' ? noSearch : new URLSearchParams(search),
  );
  if (method !== 'GET' && !('dry_run' in operation.query) && asksForDryRun(search))
    faults.push(noDryRun);
  for (const [name, value] of Object.entries(path)) {
    const fault = textFault('path', name, value);
    if (fault) faults.push(fault);
  }
  const { limits, bodyRequired, tokenInQuery } = operation;
  if (limits) exchange.lease = budget.open(address, operation.public);
  const body =
    limits && exchange.lease
      ? await readBody(
          request,
          { limits, bodyRequired, tokenInQuery },
          maxBodyBytes,
          exchange.lease,
        )
      : undefined;
  if (body) {
    await loadValidatorOf(operation);
    // The services do the same with the bytes that they get.
    if (operation.side === 'connector') completeClasses(body.value);
    faults.push(...validateBody(operation, body.value));
  }
  // A provider's message may have a field `meta` of its own.
  const ours = operation.tokenInQuery ? undefined : body?.value;
  const meta = operation.meta ? metaCalls(query, ours, faults) : [];
  if (faults.length > 0) throw badRequest(faults);
  return {
    query,
    meta,
    body: body?.bytes,
    idempotencyKey: operation.creates
      ? readIdempotencyKey(request.headers['idempotency-key'])
      : undefined,
  };
}

/** Collects meta function calls from the query, or from an array beside the fields of the body. */
function metaCalls(query: Record<string, unknown>, body: unknown, faults: Fault[]): string[] {
  const inQuery = (query['meta'] ?? []) as string[];
  const field =
    body !== null && typeof body === 'object' && !Array.isArray(body)
      ? (body as { meta?: unknown }).meta
      : undefined;
  if (field === undefined || field === null) return inQuery;
  if (
    Array.isArray(field) &&
    field.length <= maxMeta &&
    field.every((one) => typeof one === 'string')
  )
    return [...inQuery, ...field];
  faults.push({
    location: 'body',
    pointer: '/meta',
    message: `must be an array of at most ${maxMeta} meta function calls`,
    remediation: 'Write "meta": ["stats/count"].',
  });
  return inQuery;
}

function readIdempotencyKey(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length > 0 && value.length <= 255) return value;
  throw badRequest({
    location: 'header',
    pointer: 'Idempotency-Key',
    message: 'must be one text of 1 to 255 characters',
    remediation: 'Send a UUID.',
  });
}

/** A caller whose dry run is not heeded would have done what was to be tried. */
const noDryRun: Fault = {
  location: 'query',
  pointer: 'dry_run',
  message: 'is not offered by this operation',
  remediation: 'Leave it out: the operation would be done.',
};

function asksForDryRun(search: string): boolean {
  return search.includes('dry_run') && new URLSearchParams(search).has('dry_run');
}
