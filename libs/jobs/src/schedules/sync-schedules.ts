import { isDeepStrictEqual } from 'node:util';
import type { EventTools } from '#outbox';
import type { AsyncOperation, Integration, JobSchedule, Transaction } from '#store';
import { cancelJob, endRunsOf } from '../end-run.js';
import { lockRunsOf } from '../run-row.js';
import { createScheduledJob } from './create-scheduled-job.js';
import type { SchedulePlan } from './read-schedule.js';
import { lockSchedule, type Schedule, saveSchedule } from './schedule-row.js';
import { nextSlot } from './slots.js';

interface Known {
  id: string;
  key: string;
  status: string;
  settings: JobSchedule;
}

/**
 * Makes the jobs of an integration those of its scheduled_operations, in the transaction of the change: creates the new ones, changes
 * those of the same list, and cancels those that were taken out. An entry that is as it was leaves its job alone, even if that was
 * cancelled or has failed too often.
 * @param copiedFrom the integration point that the schedules were copied from
 */
export async function syncSchedules(
  tx: Transaction,
  { id: integrationId, accountId }: Pick<Integration, 'id' | 'accountId'>,
  plans: readonly SchedulePlan[],
  tools: EventTools,
  copiedFrom?: string,
): Promise<void> {
  const known = await schedulesOf(tx, integrationId);
  const wanted = withKeys(plans);
  for (const one of known) {
    const plan = wanted.get(one.key);
    if (plan !== undefined && isDeepStrictEqual(plan.settings, one.settings)) {
      wanted.delete(one.key);
    } else if (plan !== undefined && one.status !== 'CANCELLED') {
      await changeSchedule(tx, one.id, plan, tools);
      wanted.delete(one.key);
    } else await removeSchedule(tx, one.id, tools);
  }
  for (const [key, plan] of wanted) {
    const { operation = '', filters, sink_integration_id: sink } = plan.settings;
    const input = { ...(filters && { filters }), ...(sink && { sink_integration_id: sink }) };
    const triggerSource = copiedFrom ?? integrationId;
    await createScheduledJob(
      tx,
      { accountId, integrationId, operation: operation ?? '', input, plan, key, triggerSource },
      { ids: tools.ids, now: tools.now() },
    );
  }
}

async function schedulesOf(tx: Transaction, integrationId: string): Promise<Known[]> {
  return await tx.query<Known>(
    `select o.id, s.key, o.status, o.schedule as settings from operation_schedules s join operations o on o.id = s.id
     where s.organization_id = $1 and s.integration_id = $2 and s.key is not null order by o.id`,
    [tx.scope.organizationId, integrationId],
  );
}

/** Two schedules of the same list are the same job if they say the same of what is read; equal ones are counted. */
function withKeys(plans: readonly SchedulePlan[]): Map<string, SchedulePlan> {
  const keyed = new Map<string, SchedulePlan>();
  for (const plan of plans) {
    const { operation, filters, incremental_config: config } = plan.settings;
    const what = [operation, filters ?? [], plan.mode, config?.time_filter_field ?? null];
    let count = 0;
    while (keyed.has(JSON.stringify([...what, count]))) count += 1;
    keyed.set(JSON.stringify([...what, count]), plan);
  }
  return keyed;
}

async function changeSchedule(
  tx: Transaction,
  id: string,
  plan: SchedulePlan,
  tools: EventTools,
): Promise<void> {
  const now = tools.now();
  const runs = await lockRunsOf(tx, id);
  const job = await tx.operations.getLocked(id);
  const schedule = await lockSchedule(tx, id);
  if (schedule === undefined) return;
  const isOn = plan.settings.enabled !== false;
  if (!isOn) await endRunsOf(tx, job, runs, 'the schedule was switched off', now);
  schedule.nextAt = isOn ? movedTime(job, schedule, plan, now) : null;
  schedule.periodMs = plan.periodMs;
  schedule.event = plan.event ?? null;
  schedule.failures = 0;
  schedule.backfillFrom = plan.backfillFrom ?? null;
  await saveSchedule(tx, schedule);
  await tx.operations.save({
    ...job,
    status: statusOf(job, isOn),
    schedule: plan.settings,
    updatedAt: now,
    input: { ...job.input, sink_integration_id: plan.settings.sink_integration_id ?? null },
  });
}

/** Returns the next time after a change. One that events start runs at once when it is switched on, as nobody knows what came before. */
function movedTime(
  { status }: AsyncOperation,
  { nextAt, event, periodMs, anchor }: Schedule,
  plan: SchedulePlan,
  now: Date,
): Date | null {
  const isSame = status !== 'DISABLED' && periodMs === plan.periodMs;
  if (isSame && event === (plan.event ?? null)) return nextAt;
  return plan.event === undefined ? nextSlot(anchor, plan.periodMs, now) : now;
}

function statusOf({ status }: AsyncOperation, isOn: boolean): string {
  if (!isOn) return 'DISABLED';
  return status === 'DISABLED' ? 'SCHEDULED' : status;
}

async function removeSchedule(tx: Transaction, id: string, tools: EventTools): Promise<void> {
  await cancelJob(tx, id, tools, 'taken out of scheduled_operations');
  const schedule = await lockSchedule(tx, id);
  if (schedule !== undefined) await saveSchedule(tx, { ...schedule, key: null });
}
