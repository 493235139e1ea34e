import { defineTask, enqueue } from '#queue';
import type { Transaction } from '#store';

/** Sends what is due to a webhook. */
export const sendDeliveries = defineTask<{ organizationId: string; endpointId: string }>(
  'deliveries.send',
);

/** A delivery is tried for so long after it was created, replayed or released. */
export const releasePeriodMs = 72 * 60 * 60_000;

/** Has the deliveries of these webhooks that are due sent, once the transaction is committed. */
export async function wakeEndpoints(
  tx: Transaction,
  endpointIds: readonly string[],
): Promise<void> {
  const { organizationId } = tx.scope;
  // In one order: two transactions that wake the same webhooks in different orders would wait for each other's tasks.
  for (const endpointId of [...new Set(endpointIds)].sort())
    await enqueue(tx, sendDeliveries, { organizationId, endpointId }, { key: endpointId });
}

/**
 * Has the deliveries of a webhook sent at a time. Its key is another one than that of {@link wakeEndpoints}: the task of a delivery
 * that was created meanwhile is not replaced by a later one.
 */
export async function wakeLater(tx: Transaction, endpointId: string, runAt: Date): Promise<void> {
  const { organizationId } = tx.scope;
  const key = `${endpointId} later`;
  await enqueue(tx, sendDeliveries, { organizationId, endpointId }, { key, runAt });
}

/** Makes the deliveries due that waited while their webhook was paused. */
export async function releaseHeld(tx: Transaction, endpointId: string, now: Date): Promise<void> {
  await tx.query(
    `update deliveries set next_attempt_at = $3
     where organization_id = $1 and endpoint_id = $2 and status = 'waiting'`,
    [tx.scope.organizationId, endpointId, now],
  );
  await wakeEndpoints(tx, [endpointId]);
}

/** Takes the waiting deliveries of a webhook out of the schedule, or ends them. */
export async function stopWaiting(
  tx: Transaction,
  endpointId: string,
  { status, now }: { status: 'waiting' | 'failed'; now: Date },
): Promise<void> {
  await tx.query(
    `update deliveries set status = $3, next_attempt_at = null, updated_at = $4,
       reason = case when $3 = 'failed' then 'disabled' else reason end
     where organization_id = $1 and endpoint_id = $2 and status = 'waiting'`,
    [tx.scope.organizationId, endpointId, status, now],
  );
}
