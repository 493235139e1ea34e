import type { Clock } from '#config';
import { ApiError } from '#contract';
import type { Sealer } from '#secrets';
import { IdempotencyKey, type KeyOwner, type Store, wholeOrganization } from '#store';
import type { ConnectorCall } from '../connector-call.js';
import { KeyedWrite, unsettled } from './keyed-write.js';

/** Time for what is still on its way when the deadline of a call has passed. */
const graceMs = 5_000;

/**
 * Runs a create once per `Idempotency-Key` of an integration. The provider is called outside of any transaction. A call that fails leaves
 * its key free if it has certainly changed nothing; otherwise the next call with the key has to find out what is there.
 */
export async function runOnce<T>(
  call: ConnectorCall,
  sealedFor: KeyOwner,
  parts: { store: Store; sealer: Sealer; clock: Clock },
  work: (write?: KeyedWrite) => Promise<T>,
): Promise<T> {
  const { idempotencyKey, caller } = call;
  if (idempotencyKey === undefined || caller.integrationId === undefined) return await work();
  const owners = {
    usedBy: caller.integrationId,
    sealedFor: sealedFor.id,
    domain: sealedFor.domain,
  };
  const key = new IdempotencyKey(idempotencyKey, call, owners, parts);
  const scope = wholeOrganization(caller.organizationId);
  const until = call.deadline + graceMs;
  const held = await parts.store.write(scope, (tx) => key.hold(tx, until));
  if ('answer' in held) return held.answer as T;
  const write = new KeyedWrite(held);
  let answer: T;
  try {
    answer = await work(write);
  } catch (error) {
    await parts.store.write(scope, (tx) => (write.isOpen ? key.leave(tx) : key.free(tx)));
    throw write.isOpen ? withUnknownOutcome(error) : error;
  }
  await parts.store.write(scope, (tx) => key.keep(tx, answer));
  return answer;
}

/** Says how the caller finds out what the provider has done. */
function withUnknownOutcome(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.options.kind === unsettled) return error;
  Object.assign(error.options, {
    detail:
      error.options.detail ??
      'The outcome is unknown: the provider may have carried out the request, or a part of it.',
    remediation:
      'Send the same request again with the same Idempotency-Key: the record is not made twice.',
  });
  return error;
}
