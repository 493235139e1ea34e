import type { EventTools } from '#outbox';
import type { AsyncOperation, Transaction } from '#store';
import { noteError } from '../job-errors.js';
import type { Schedule } from './schedule-row.js';

/** A schedule whose runs failed so often, one after the other, is switched off. */
export const maxFailures = 10;

/** Tools of runs, and what is told when a schedule was switched off because it failed. */
export interface ScheduleTools extends EventTools {
  /** Records in the audit trail that no call did this. */
  recordDisabled?: (tx: Transaction, job: AsyncOperation, reason: string) => Promise<void>;
}

/** Counts a failure, and switches the schedule off with the tenth. The caller saves both. */
export async function countFailure(
  tx: Transaction,
  job: AsyncOperation,
  schedule: Schedule,
  { recordDisabled }: ScheduleTools,
): Promise<void> {
  schedule.failures += 1;
  if (schedule.failures < maxFailures) return;
  const last = job.errors?.at(-1)?.message ?? 'unknown';
  const reason = `switched off because ${maxFailures} runs failed one after the other, the last one with: ${last}`;
  schedule.nextAt = null;
  job.status = 'DISABLED';
  noteError(job, reason);
  await recordDisabled?.(tx, job, reason);
}
