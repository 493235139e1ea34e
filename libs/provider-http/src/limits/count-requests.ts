import type { Transaction } from '#store';
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
  const place = [tx.scope.organizationId, key];
  // The update without a change locks the row.
  const [row] = await tx.query<{ slots: RequestSlot[]; now: number }>(
    `insert into provider_rates (organization_id, key, period_start, used) values ($1, $2, clock_timestamp(), 0)
     on conflict (organization_id, key) do update set used = provider_rates.used
     returning slots, extract(epoch from clock_timestamp())::float8 * 1000 as now`,
    place,
  );
  if (row === undefined) throw new Error('the database returned no counter of requests');
  const counted = addRequests(row.slots, budget, now ?? row.now, wanted);
  if ('waitMs' in counted) return counted.waitMs;
  await tx.query(
    'update provider_rates set slots = $3::jsonb where organization_id = $1 and key = $2',
    [...place, JSON.stringify(counted.slots)],
  );
  return undefined;
}
