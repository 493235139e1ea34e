import { ApiError } from '#contract';
import type { AsyncOperation, Transaction } from '#store';
import { findSink } from '../find-sink.js';
import { noteError } from '../job-errors.js';
import { countFailure, type ScheduleTools } from './count-failure.js';
import { lockSchedule, saveSchedule, type Schedule } from './schedule-row.js';
import { nextSlot } from './slots.js';
import { startRun } from './start-run.js';
import { nextBackfill, nextWindow } from './windows.js';

/**
 * Starts what a schedule has due, once: a worker that comes later finds the next time. Runs that were missed are not made up for; an
 * increment reads what they would have read.
 */
export async function fireSchedule(
  tx: Transaction,
  id: string,
  tools: ScheduleTools,
): Promise<void> {
  const now = tools.now();
  if ((await tx.operations.find(id)) === undefined) return; // deleted with its integration
  const job = await tx.operations.getLocked(id);
  const schedule = await lockSchedule(tx, id);
  if (schedule === undefined || schedule.nextAt === null) return;
  const { nextAt, anchor, periodMs, event } = schedule;
  const isDue = nextAt <= now;
  const isSetBack = nextAt.getTime() - periodMs > now.getTime();
  if (!isDue && !isSetBack) return;
  schedule.nextAt = event === null ? nextSlot(anchor, periodMs, now) : null;
  // The time of an event has been, whatever a clock that was set back says.
  if (isDue || event !== null) await start(tx, job, schedule, tools);
  await saveSchedule(tx, schedule);
}

async function start(
  tx: Transaction,
  job: AsyncOperation,
  schedule: Schedule,
  tools: ScheduleTools,
): Promise<void> {
  const context = { ids: tools.ids, now: tools.now() };
  if (!(await findOutput(tx, job, schedule, tools))) return;
  const running = await tx.query<{ kind: string }>(
    'select kind from operation_runs where organization_id = $1 and operation_id = $2',
    [tx.scope.organizationId, job.id],
  );
  // A run that takes longer than the period is not joined by a second one.
  const isFree = running.every(({ kind }) => kind === 'backfill');
  // That run may have read past the place of the change, so another one follows it (`endScheduledRun`).
  if (!isFree && schedule.event !== null)
    schedule.nextAt = new Date(context.now.getTime() + schedule.periodMs);
  if (isFree) await startRun(tx, schedule, nextWindow(schedule, context.now), context);
  const past = nextBackfill(schedule);
  if (past !== undefined && running.every(({ kind }) => kind !== 'backfill'))
    await startRun(tx, schedule, past, context);
}

/** Finds where the results go this time. A schedule without a sink has failed. */
async function findOutput(
  tx: Transaction,
  job: AsyncOperation,
  schedule: Schedule,
  tools: ScheduleTools,
): Promise<boolean> {
  try {
    const sink = await findSink(tx, job.accountId, job.input.sink_integration_id);
    if (job.outputIntegrationId !== sink.integration.id)
      await tx.operations.save({ ...job, outputIntegrationId: sink.integration.id });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    noteError(job, error.message);
    await countFailure(tx, job, schedule, tools);
    await tx.operations.save({ ...job, updatedAt: tools.now() });
    return false;
  }
}
