import type { AsyncOperation, Transaction } from '#store';
import type { Run } from '../run-row.js';
import { countFailure, type ScheduleTools } from './count-failure.js';
import { type Schedule, saveSchedule } from './schedule-row.js';
import { forgetSeen } from './seen-records.js';
import { startRun } from './start-run.js';
import { nextBackfill, overlapMs } from './windows.js';

/**
 * Stores how a run of a schedule ended, after the run itself is gone. The next increment begins where a complete one ended; one that was
 * cancelled changes nothing, so the next reads the same again. The caller has locked both, and saves the job.
 */
export async function endScheduledRun(
  tx: Transaction,
  job: AsyncOperation,
  schedule: Schedule,
  { run, isComplete }: { run: Run; isComplete: boolean },
  tools: ScheduleTools,
): Promise<void> {
  const context = { ids: tools.ids, now: tools.now() };
  const [others] = await tx.query<{ running: boolean }>(
    `select count(*) > 0 as running from operation_runs where organization_id = $1 and operation_id = $2 and started_at is not null`,
    [tx.scope.organizationId, job.id],
  );
  if (job.status === 'PROCESSING' && !others?.running) job.status = 'SCHEDULED';
  if (!isComplete) await countFailure(tx, job, schedule, tools);
  else {
    schedule.failures = 0;
    await advance(tx, schedule, run);
    const past = run.kind === 'backfill' && isOn(job) ? nextBackfill(schedule) : undefined;
    if (past !== undefined) await startRun(tx, schedule, past, context);
  }
  // An event came while the run went on.
  if (schedule.event !== null && schedule.nextAt !== null && schedule.nextAt > context.now)
    schedule.nextAt = context.now;
  await saveSchedule(tx, schedule);
}

function isOn({ status }: AsyncOperation): boolean {
  return status === 'SCHEDULED' || status === 'PROCESSING';
}

async function advance(tx: Transaction, schedule: Schedule, run: Run): Promise<void> {
  if (run.kind === 'backfill') schedule.backfillUntil = run.windowFrom;
  if (run.kind !== 'increment' || schedule.highWater === null) return;
  if (run.newest !== null && run.newest > schedule.highWater) schedule.highWater = run.newest;
  await forgetSeen(tx, schedule.id, new Date(schedule.highWater.getTime() - overlapMs));
}
