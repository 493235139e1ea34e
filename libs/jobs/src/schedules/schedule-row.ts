import type { Reader, Transaction } from '#store';
import type { ScheduleMode } from './read-schedule.js';

/** When a job runs again and again, and how far it has come. Its id is that of the job. */
export interface Schedule {
  id: string;
  integrationId: string;
  key: string | null;
  triggerSource: string;
  createdAt: Date;
  /** Time between runs. One that events start waits so long for a run that goes on, at most, before it looks again. */
  periodMs: number;
  /** The event that starts its runs; null for one that runs by the clock. */
  event: string | null;
  anchor: Date;
  /** The next run; null while it is switched off, or waits for an event. */
  nextAt: Date | null;
  failures: number;
  mode: ScheduleMode;
  timeField: string | null;
  timePath: string | null;
  highWater: Date | null;
  backfillFrom: Date | null;
  backfillUntil: Date | null;
}

const columns = `id, integration_id as "integrationId", key, trigger_source as "triggerSource", created_at as "createdAt",
  period_ms::float8 as "periodMs", event, anchor, next_at as "nextAt", failures, mode, time_field as "timeField",
  time_path as "timePath", high_water as "highWater", backfill_from as "backfillFrom", backfill_until as "backfillUntil"`;

export async function findSchedule(tx: Reader, id: string): Promise<Schedule | undefined> {
  const [schedule] = await tx.query<Schedule>(
    `select ${columns} from operation_schedules where organization_id = $1 and id = $2`,
    [tx.scope.organizationId, id],
  );
  return schedule;
}

/** Finds the next times of schedules, by the ids of their jobs; those that have none are absent. */
export async function nextTimesOf(
  tx: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await tx.query<{ id: string; nextAt: Date }>(
    `select id, next_at as "nextAt" from operation_schedules
     where organization_id = $1 and id = any($2) and next_at is not null`,
    [tx.scope.organizationId, ids],
  );
  return new Map(rows.map(({ id, nextAt }) => [id, nextAt]));
}

/**
 * Finds a schedule and locks it until the transaction ends. Whoever locks several locks in this order, or two would wait for each other:
 * runs, the job, the schedule, the runs of the organization (`admitRuns`).
 */
export async function lockSchedule(tx: Reader, id: string): Promise<Schedule | undefined> {
  const [schedule] = await tx.query<Schedule>(
    `select ${columns} from operation_schedules where organization_id = $1 and id = $2 for update`,
    [tx.scope.organizationId, id],
  );
  return schedule;
}

export async function insertSchedule(tx: Transaction, one: Schedule): Promise<void> {
  await tx.query(
    `insert into operation_schedules (organization_id, id, integration_id, key, trigger_source, created_at, period_ms, anchor, next_at,
       earliest_at, failures, mode, time_field, time_path, high_water, backfill_from, backfill_until, event)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      tx.scope.organizationId,
      one.id,
      one.integrationId,
      one.key,
      one.triggerSource,
      one.createdAt,
      one.periodMs,
      one.anchor,
      one.nextAt,
      earliestOf(one),
      one.failures,
      one.mode,
      one.timeField,
      one.timePath,
      one.highWater,
      one.backfillFrom,
      one.backfillUntil,
      one.event,
    ],
  );
}

/** Stores what runs and requests change of a schedule. */
export async function saveSchedule(tx: Transaction, one: Schedule): Promise<void> {
  await tx.query(
    `update operation_schedules set key = $3, period_ms = $4, next_at = $5, earliest_at = $6, failures = $7, high_water = $8,
       backfill_from = $9, backfill_until = $10, event = $11 where organization_id = $1 and id = $2`,
    [
      tx.scope.organizationId,
      one.id,
      one.key,
      one.periodMs,
      one.nextAt,
      earliestOf(one),
      one.failures,
      one.highWater,
      one.backfillFrom,
      one.backfillUntil,
      one.event,
    ],
  );
}

function earliestOf({ nextAt, periodMs }: Schedule): Date | null {
  return nextAt === null ? null : new Date(nextAt.getTime() - periodMs);
}
