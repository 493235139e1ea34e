import type { Transaction } from '#store';
import { enqueuePage } from './run-page.js';

/** How many runs of an organization are in the queue at once. The others wait, so organizations take turns page by page. */
export const maxRunsPerOrganization = 4;

/** Lets the oldest waiting runs of the organization into the queue, as far as others have ended. */
export async function admitRuns(tx: Transaction, now: Date): Promise<void> {
  const { organizationId } = tx.scope;
  // Two transactions would count the same places as free.
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `jobs of ${organizationId}`,
  ]);
  const admitted = await tx.query<{ id: string; page: number }>(
    `with free as (
       select greatest($2 - count(*), 0) as places from operation_runs
       where organization_id = $1 and admitted_at is not null
     ), next as (
       select id from operation_runs where organization_id = $1 and admitted_at is null
       order by created_at, id limit (select places from free)
     ), changed as (
       update operation_runs set admitted_at = $3 where id in (select id from next) returning id, page
     )
     select id, page from changed order by id`,
    [organizationId, maxRunsPerOrganization, now],
  );
  for (const { id, page } of admitted) await enqueuePage(tx, id, page);
}
