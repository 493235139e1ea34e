import type { Ids } from '#config';
import { type AsyncOperation, kinds, type Transaction } from '#store';
import type { SchedulePlan } from './read-schedule.js';
import { insertSchedule } from './schedule-row.js';
import { firstRunOf } from './slots.js';
import { overlapMs } from './windows.js';

export interface NewScheduledJob {
  accountId: string;
  integrationId: string;
  operation: string;
  input: AsyncOperation['input'];
  plan: SchedulePlan;
  /** Which of the scheduled_operations of its integration it is; absent for one that was created by itself. */
  key?: string;
  /** The integration point that the schedule was copied from, or the integration. */
  triggerSource: string;
}

/** Stores a job that runs again and again, in the transaction of its request. Its first run begins within minutes, or at once if events start it. */
export async function createScheduledJob(
  tx: Transaction,
  { accountId, integrationId, operation, input, plan, key, triggerSource }: NewScheduledJob,
  { ids, now }: { ids: Ids; now: Date },
): Promise<AsyncOperation> {
  const { settings, periodMs, event, mode, time, backfillFrom } = plan;
  const id = ids.next(kinds.operations);
  const isOn = settings.enabled !== false;
  const job: AsyncOperation = {
    id,
    name: id,
    organizationId: tx.scope.organizationId,
    accountId,
    integrationId,
    operation,
    input,
    status: isOn ? 'SCHEDULED' : 'DISABLED',
    errors: null,
    cpuTime: 0,
    inBytes: 0,
    outputIntegrationId: null,
    schedule: settings,
    createdAt: now,
    updatedAt: now,
  };
  await tx.operations.insert(job);
  const anchor = firstRunOf(id, now, plan);
  await insertSchedule(tx, {
    id,
    integrationId,
    key: key ?? null,
    triggerSource,
    createdAt: now,
    periodMs,
    anchor,
    event: event ?? null,
    nextAt: isOn ? anchor : null,
    failures: 0,
    mode,
    timeField: time?.field ?? null,
    timePath: time?.path ?? null,
    // Increments begin with the schedule; what is older is for the backfill.
    highWater: mode === 'incremental' ? now : null,
    backfillFrom: backfillFrom ?? null,
    backfillUntil: mode === 'incremental' ? new Date(now.getTime() - overlapMs) : null,
  });
  return job;
}
