import type { Transaction } from '#store';

/** Counts a request. @returns undefined if it is permitted, otherwise the milliseconds until the period ends */
export async function countRequest(
  tx: Transaction,
  key: string,
  periodMs: number,
  maxRequests: number,
): Promise<number | undefined> {
  const [row] = await tx.query<{ used: number; left_ms: number }>(
    `insert into provider_rates (organization_id, key, period_start, used) values ($1, $2, clock_timestamp(), 1)
     on conflict (organization_id, key) do update set
       used = case when provider_rates.period_start + $3 * interval '1 ms' <= clock_timestamp() then 1
              else least(provider_rates.used + 1, $4 + 1) end,
       used_by_jobs = case when provider_rates.period_start + $3 * interval '1 ms' <= clock_timestamp() then 0
              else provider_rates.used_by_jobs end,
       period_start = case when provider_rates.period_start + $3 * interval '1 ms' <= clock_timestamp()
              then clock_timestamp() else provider_rates.period_start end
     returning used,
       extract(epoch from period_start + $3 * interval '1 ms' - clock_timestamp())::float8 * 1000 as left_ms`,
    [tx.scope.organizationId, key, periodMs, maxRequests],
  );
  return row === undefined || row.used <= maxRequests ? undefined : row.left_ms;
}

/**
 * Counts a request of a job. Jobs may use half of what interactive calls leave of a period, and one request of it at least. A refused
 * one is not counted, so that it takes nothing from those calls.
 * @returns undefined if it is permitted, otherwise the milliseconds until the period ends
 */
export async function countJobRequest(
  tx: Transaction,
  key: string,
  periodMs: number,
  maxRequests: number,
): Promise<number | undefined> {
  const place = [tx.scope.organizationId, key];
  await tx.query(
    `insert into provider_rates (organization_id, key, period_start, used)
     values ($1, $2, clock_timestamp(), 0) on conflict (organization_id, key) do nothing`,
    place,
  );
  const [row] = await tx.query<{ used: number; jobs: number; left_ms: number }>(
    `select used, used_by_jobs as jobs,
       extract(epoch from period_start + $3 * interval '1 ms' - clock_timestamp())::float8 * 1000 as left_ms
     from provider_rates where organization_id = $1 and key = $2 for update`,
    [...place, periodMs],
  );
  if (row === undefined || row.left_ms <= 0) {
    await tx.query(
      `update provider_rates set used = 1, used_by_jobs = 1, period_start = clock_timestamp()
       where organization_id = $1 and key = $2`,
      place,
    );
    return undefined;
  }
  const share = Math.max(1, Math.floor((maxRequests - (row.used - row.jobs)) / 2));
  if (row.jobs >= share || row.used >= maxRequests) return row.left_ms;
  await tx.query(
    `update provider_rates set used = used + 1, used_by_jobs = used_by_jobs + 1
     where organization_id = $1 and key = $2`,
    place,
  );
  return undefined;
}
