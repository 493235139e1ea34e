import type { Clock } from '#config';
import type { Sealer } from '#secrets';
import { IdempotencyKey, type KeyOwner, type Store, wholeOrganization } from '#store';
import type { ConnectorCall } from '../connector-call.js';

/**
 * Runs a create once per `Idempotency-Key` of an integration. The provider is called outside of any transaction; a call that
 * fails leaves its key free.
 */
export async function runOnce<T>(
  call: ConnectorCall,
  sealedFor: KeyOwner,
  parts: { store: Store; sealer: Sealer; clock: Clock },
  work: () => Promise<T>,
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
  const known = await parts.store.write(scope, (tx) => key.claim(tx));
  if (known !== undefined) return known.answer as T;
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    await parts.store.write(scope, (tx) => key.free(tx));
    throw error;
  }
  await parts.store.write(scope, (tx) => key.keep(tx, answer));
  return answer;
}
