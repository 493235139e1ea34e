import { conflict } from '#contract';
import { emitOperationComplete, type EventTools } from '#outbox';
import type { AsyncOperation, Transaction } from '#store';
import { admitRuns } from './admit-runs.js';
import { lockRunsOf, type Run } from './run-row.js';
import type { ScheduleTools } from './schedules/count-failure.js';
import { endScheduledRun } from './schedules/end-scheduled-run.js';
import { lockSchedule, saveSchedule } from './schedules/schedule-row.js';

interface End {
  status: 'COMPLETE' | 'CANCELLED';
  error?: string;
}

/**
 * Ends a run and its job: the job gets its status, the history a record, webhooks the event, and the next run of the organization is
 * admitted.
 */
export async function endRun(
  tx: Transaction,
  job: AsyncOperation,
  run: Run,
  end: End,
  tools: ScheduleTools,
): Promise<void> {
  const now = tools.now();
  const atOnce = { ...tools, now: () => now };
  const schedule = run.triggerType === 'SCHEDULED' ? await lockSchedule(tx, job.id) : undefined;
  await closeRun(tx, job, run, end, now);
  if (schedule === undefined) job.status = end.status;
  else {
    const isComplete = end.status === 'COMPLETE';
    await endScheduledRun(tx, job, schedule, { run, isComplete }, atOnce);
  }
  await endJob(tx, job, end.status, atOnce);
}

/** Cancels runs of a job that goes on. */
export async function endRunsOf(
  tx: Transaction,
  job: AsyncOperation,
  runs: readonly Run[],
  reason: string,
  now: Date,
): Promise<void> {
  for (const run of runs) await closeRun(tx, job, run, { status: 'CANCELLED', error: reason }, now);
}

async function closeRun(
  tx: Transaction,
  job: AsyncOperation,
  run: Run,
  { status, error }: End,
  now: Date,
): Promise<void> {
  const { organizationId } = tx.scope;
  await tx.query('delete from operation_runs where organization_id = $1 and id = $2', [
    organizationId,
    run.id,
  ]);
  await admitRuns(tx, now); // holds the organization's lock, so no other run gets the same time
  if (run.startedAt !== null)
    await tx.query(
      `insert into operation_executions (id, organization_id, account_id, integration_id, operation_id, integration_point_id,
         operation, trigger_type, trigger_source, status, started_at, completed_at, records_processed, cpu_time, in_bytes,
         duration, initial_cursor, final_cursor, error)
       select $1, $2, $3, $4, $5, i.integration_point_id, $6, $7, $8, $9, free.at, $11, $12, $13, $14,
         (extract(epoch from $11::timestamptz - $10::timestamptz) * 1000000)::bigint, $15, $16, $17
       from integrations i, operations o, lateral (
         -- The first time from the start on that no other run of the organization has.
         select $10::timestamptz + n * interval '1 microsecond' as at from generate_series(0, 100000) n
         where not exists (select from operation_executions e where e.organization_id = $2
           and e.started_at = $10::timestamptz + n * interval '1 microsecond') limit 1
       ) free where i.id = $4 and o.id = $5
       -- The history has no foreign key: a job that is being deleted gets no run that nobody deletes.
       for key share of o`,
      [
        run.id,
        organizationId,
        job.accountId,
        job.integrationId,
        job.id,
        job.operation,
        run.triggerType,
        run.triggerSource,
        status,
        run.startedAt,
        now,
        run.records,
        run.cpuTime,
        run.inBytes,
        run.initialPosition,
        run.position,
        error ?? null,
      ],
    );
}

async function endJob(
  tx: Transaction,
  job: AsyncOperation,
  status: End['status'],
  tools: EventTools,
): Promise<void> {
  job.updatedAt = tools.now();
  await tx.operations.save(job);
  await emitOperationComplete(tools, tx, { ...job, status }); // of a schedule that goes on: how its run ended
}

/** Cancels a job: a page that is under way is not written any more, or is the last one. @throws ApiError 409 if it is complete */
export async function cancelJob(
  tx: Transaction,
  id: string,
  tools: EventTools,
  reason = 'cancelled by request',
): Promise<void> {
  const runs = await lockRunsOf(tx, id); // before the job, as workers lock them
  const job = await tx.operations.getLocked(id);
  if (job.status === 'CANCELLED') return;
  if (job.status === 'COMPLETE')
    throw conflict(
      `the operation ${job.id} is complete`,
      'Only one that has not ended can be cancelled.',
    );
  const schedule = await lockSchedule(tx, id);
  if (schedule !== undefined) await saveSchedule(tx, { ...schedule, nextAt: null });
  await endRunsOf(tx, job, runs, reason, tools.now());
  job.status = 'CANCELLED';
  await endJob(tx, job, 'CANCELLED', tools);
}
