import { createHash } from 'node:crypto';
import type { Clock } from '#config';
import { ApiError, type Call, conflict } from '#contract';
import type { Sealer } from '#secrets';
import { dataKey, type Store, wholeOrganization } from '#store';

/** A call that has no answer after this long has died with its process; its key may be used again. */
const abandonedMs = 5 * 60_000;
const where = 'organization_id = $1 and owner_id = $2 and operation = $3 and key = $4';

/**
 * Runs a create once per `Idempotency-Key` of an integration: the same request gets the first answer again. The provider is called
 * outside of any transaction; a call that fails leaves its key free.
 */
export async function once<T>(
  parts: { store: Store; sealer: Sealer; clock: Clock },
  call: Call,
  accountId: string,
  work: () => Promise<T>,
): Promise<T> {
  const { idempotencyKey: key, caller, operation } = call;
  const { store, sealer, clock } = parts;
  if (key === undefined || caller.integrationId === undefined) return await work();
  const scope = wholeOrganization(caller.organizationId);
  const columns = [caller.organizationId, caller.integrationId, operation, key];
  const requestHash = createHash('sha256')
    .update(JSON.stringify([call.path, call.query]))
    .update(call.rawBody)
    .digest('hex');
  const known = await store.write(scope, async (tx) => {
    const mine = await tx.query(
      `insert into idempotency_keys (organization_id, owner_id, operation, key, request_hash, created_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (organization_id, owner_id, operation, key) do update
         set request_hash = excluded.request_hash, created_at = excluded.created_at
         where idempotency_keys.reply is null and idempotency_keys.created_at < $7
       returning 1`,
      [...columns, requestHash, new Date(clock.now()), new Date(clock.now() - abandonedMs)],
    );
    if (mine.length > 0) return undefined;
    const [row] = await tx.query<{ request_hash: string; reply: string | null }>(
      `select request_hash, reply from idempotency_keys where ${where}`,
      columns,
    );
    return row;
  });
  if (known !== undefined) {
    if (known.request_hash !== requestHash)
      throw conflict(
        'the Idempotency-Key was used before with another request',
        'Use a new key for a new request.',
      );
    if (known.reply === null)
      throw new ApiError(409, 'the first call with this Idempotency-Key is still under way', {
        remediation: 'Try again in a moment.',
        headers: { 'retry-after': '1' },
      });
    return JSON.parse(sealer.open(accountId, known.reply).reveal()) as T;
  }
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    await store.write(scope, (tx) =>
      tx.query(`delete from idempotency_keys where ${where} and reply is null`, columns),
    );
    throw error;
  }
  await store.write(scope, async (tx) => {
    const wrapped = await dataKey(tx, sealer, accountId, new Date(clock.now()));
    const reply = sealer.seal(wrapped, accountId, JSON.stringify(answer ?? null));
    await tx.query(`update idempotency_keys set reply = $5 where ${where}`, [...columns, reply]);
  });
  return answer;
}
