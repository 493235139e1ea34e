import { deliveryQueries, type Transaction } from '#store';
import type { AttemptResult } from './send-delivery.js';

/** An attempt as it is stored. Times are in epoch milliseconds. */
export interface Attempt {
  delivery: deliveryQueries.DueDelivery;
  result: AttemptResult;
  startedAt: number;
  /** Microseconds. */
  duration: number;
  /** When the delivery is tried again; undefined if it is not. */
  nextAttemptAt: number | undefined;
}

/** Stores attempts with what becomes of their deliveries. */
export async function recordAttempts(
  tx: Transaction,
  attempts: readonly Attempt[],
  now: Date,
): Promise<void> {
  const rows = attempts.map(({ delivery, result, startedAt, duration, nextAttemptAt }) => ({
    id: delivery.id,
    started_at: new Date(startedAt),
    duration: Math.round(duration),
    status_code: result.statusCode,
    reason: result.reason,
    error: result.error,
    response: result.response,
    next_attempt_at: nextAttemptAt === undefined ? undefined : new Date(nextAttemptAt),
  }));
  await deliveryQueries.insertAttempts(tx, rows, now);
}
