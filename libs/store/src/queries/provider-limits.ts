import type { Transaction } from '../transaction.js';

/** Finds the requests that were counted under a key, and locks them. `now` is in epoch milliseconds of the database. */
export async function lockCounted<Slot>(
  tx: Transaction,
  key: string,
): Promise<{ slots: Slot[]; now: number } | undefined> {
  const place = [tx.scope.organizationId, key];
  // The update without a change locks the row.
  const [row] = await tx.query<{ slots: Slot[]; now: number }>(
    `insert into provider_rates (organization_id, key, period_start, used) values ($1, $2, clock_timestamp(), 0)
     on conflict (organization_id, key) do update set used = provider_rates.used
     returning slots, extract(epoch from clock_timestamp())::float8 * 1000 as now`,
    place,
  );
  return row;
}

/** Stores the requests that were counted under a key. */
export async function saveCounted(
  tx: Transaction,
  key: string,
  slots: readonly object[],
): Promise<void> {
  await tx.query(
    'update provider_rates set slots = $3::jsonb where organization_id = $1 and key = $2',
    [tx.scope.organizationId, key, JSON.stringify(slots)],
  );
}

/** Leases one of the places of a key for a time, if one is free. */
export async function lease(
  tx: Transaction,
  {
    key,
    holder,
    remainingMs,
    maxConcurrency,
  }: {
    key: string;
    holder: string;
    /** Asked when the place was waited for. */
    remainingMs: () => number;
    maxConcurrency: number;
  },
): Promise<boolean> {
  const { organizationId } = tx.scope;
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${organizationId} ${key}`,
  ]);
  await tx.query(
    'delete from provider_leases where organization_id = $1 and key = $2 and until < clock_timestamp()',
    [organizationId, key],
  );
  const mine = await tx.query(
    `insert into provider_leases (organization_id, key, holder, until)
           select $1, $2, $3, clock_timestamp() + $4 * interval '1 ms'
           where (select count(*) from provider_leases where organization_id = $1 and key = $2) < $5
           returning 1`,
    [organizationId, key, holder, remainingMs(), maxConcurrency],
  );
  return mine.length > 0;
}

/** Lengthens a lease to a time from now. */
export async function renewLease(
  tx: Transaction,
  { key, holder, ms }: { key: string; holder: string; ms: number },
): Promise<void> {
  await tx.query(
    `update provider_leases set until = greatest(until, clock_timestamp() + $4 * interval '1 ms')
           where organization_id = $1 and key = $2 and holder = $3`,
    [tx.scope.organizationId, key, holder, ms],
  );
}

/** Ends a lease. */
export async function endLease(
  tx: Transaction,
  { key, holder }: { key: string; holder: string },
): Promise<void> {
  await tx.query(
    'delete from provider_leases where organization_id = $1 and key = $2 and holder = $3',
    [tx.scope.organizationId, key, holder],
  );
}
