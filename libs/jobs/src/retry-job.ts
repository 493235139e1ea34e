import { conflict } from '#contract';
import type { EventTools } from '#outbox';
import type { Transaction } from '#store';
import { admitRuns } from './admit-runs.js';
import { executionIds } from './execution-ids.js';
import { enqueuePage } from './run-page.js';
import { lockRunsOf } from './run-row.js';

/**
 * Tries the page of a job that failed again now, and for another day. A job that was cancelled goes on where it was.
 * @returns what it did @throws ApiError 404, 409 if the job is complete
 */
export async function retryJob(
  tx: Transaction,
  id: string,
  tools: EventTools,
): Promise<'tried now' | 'waits for its turn' | 'resumed'> {
  const { organizationId } = tx.scope;
  const { ids } = tools;
  const now = tools.now();
  const runs = await lockRunsOf(tx, id); // before the job, as workers lock them
  const job = await tx.operations.getLocked(id);
  if (runs.length > 0) {
    const admitted = runs.filter(({ admittedAt }) => admittedAt !== null);
    await tx.query(
      `update operation_runs set failures = 0, failing_since = null, waiting_since = least(waiting_since, $3)
       where organization_id = $1 and operation_id = $2`,
      [organizationId, id, now],
    );
    // The task that waits finds the run further, and ends.
    for (const run of admitted) await enqueuePage(tx, run.id, run.page);
    return admitted.length > 0 ? 'tried now' : 'waits for its turn';
  }
  if (job.schedule !== null)
    throw conflict(
      `the operation ${job.id} has a schedule, and no run that waits`,
      'Change its entry in scheduled_operations of the integration, or create it again.',
    );
  if (job.status !== 'CANCELLED')
    throw conflict(
      `the operation ${job.id} is ${job.status}`,
      'Only one that waits or was cancelled can be tried again.',
    );
  await tx.query(
    `insert into operation_runs (id, organization_id, operation_id, integration_id, trigger_type, trigger_source, created_at,
       position, initial_position, records)
     select $1, $2, o.id, o.integration_id, 'API', 'manual', $4, e.final_cursor, e.final_cursor, coalesce(e.records_processed, 0)
     from operations o left join lateral (
       select final_cursor, records_processed from operation_executions e
       where e.organization_id = $2 and e.operation_id = o.id order by e.started_at desc limit 1
     ) e on true where o.organization_id = $2 and o.id = $3`,
    [ids.next(executionIds), organizationId, id, now],
  );
  await tx.operations.save({ ...job, status: 'SCHEDULED', updatedAt: now });
  await admitRuns(tx, now);
  return 'resumed';
}
