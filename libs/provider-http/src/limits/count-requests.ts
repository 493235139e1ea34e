import { providerLimitQueries, type Transaction } from '#store';
import type { RequestBudget } from './permits.js';
import { addRequests, type CountedRequests, type RequestSlot } from './request-slots.js';

/**
 * Counts requests of a budget, for all replicas.
 * @param now epoch milliseconds; the clock of the database when absent, which replicas share
 * @returns undefined if they are permitted, otherwise the milliseconds until they are
 */
export async function countRequests(
  tx: Transaction,
  key: string,
  budget: RequestBudget,
  wanted: CountedRequests,
  now?: number,
): Promise<number | undefined> {
  const row = await providerLimitQueries.lockCounted<RequestSlot>(tx, key);
  if (row === undefined) throw new Error('the database returned no counter of requests');
  const counted = addRequests(row.slots, budget, now ?? row.now, wanted);
  if ('waitMs' in counted) return counted.waitMs;
  await providerLimitQueries.saveCounted(tx, key, counted.slots);
  return undefined;
}
