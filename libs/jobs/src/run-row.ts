import type { Reader } from '#store';

/** A run of a job that has not ended. Positions are cursors of the operation. */
export interface Run {
  id: string;
  operationId: string;
  integrationId: string;
  triggerType: 'API' | 'SCHEDULED';
  triggerSource: string;
  /** The id of the request that made it. */
  requestId: string | null;
  admittedAt: Date | null;
  /** Since when it waits for its turn, or from when on it is tried again. */
  waitingSince: Date | null;
  startedAt: Date | null;
  page: number;
  position: string | null;
  initialPosition: string | null;
  records: number;
  cpuTime: number;
  inBytes: number;
  failures: number;
  failingSince: Date | null;
  /** `list` reads what the job says; the others are of schedules. */
  kind: 'list' | 'increment' | 'snapshot' | 'backfill';
  /** Bounds of what is read, beside the filters of the job. */
  filters: string[] | null;
  /** The newest time that was read, of increments. */
  newest: Date | null;
  /** The beginning of what is read, of increments and backfills. */
  windowFrom: Date | null;
}

const columns = `id, operation_id as "operationId", integration_id as "integrationId", trigger_type as "triggerType",
  trigger_source as "triggerSource", request_id as "requestId", admitted_at as "admittedAt", waiting_since as "waitingSince", started_at as "startedAt", page, position,
  initial_position as "initialPosition", records::float8 as records, cpu_time::float8 as "cpuTime",
  in_bytes::float8 as "inBytes", failures, failing_since as "failingSince",
  kind, filters, newest, window_from as "windowFrom"`;

/** Returns the run if it stands at this page; undefined when it has ended or another worker went on. */
export async function findRun(tx: Reader, id: string, page: number): Promise<Run | undefined> {
  const { organizationId } = tx.scope;
  const [run] = await tx.query<Run>(
    `select ${columns} from operation_runs where organization_id = $1 and id = $2 and page = $3`,
    [organizationId, id, page],
  );
  return run;
}

/** Like findRun, and locks the run until the transaction ends. */
export async function lockRun(tx: Reader, id: string, page: number): Promise<Run | undefined> {
  const { organizationId } = tx.scope;
  const [run] = await tx.query<Run>(
    `select ${columns} from operation_runs where organization_id = $1 and id = $2 and page = $3 for update`,
    [organizationId, id, page],
  );
  return run;
}

/** Locks the runs of a job that have not ended. */
export async function lockRunsOf(tx: Reader, operationId: string): Promise<Run[]> {
  const { organizationId } = tx.scope;
  return await tx.query<Run>(
    `select ${columns} from operation_runs where organization_id = $1 and operation_id = $2 for update`,
    [organizationId, operationId],
  );
}

/** How far a job is. */
export interface CurrentRun {
  startedAt: Date;
  records: number;
  inBytes: number;
}

/** Finds how far jobs are, by their ids; those without a run that has begun are absent. Runs of a schedule that go on together are one. */
export async function currentRunsOf(
  tx: Reader,
  operationIds: readonly string[],
): Promise<ReadonlyMap<string, CurrentRun>> {
  const rows = await tx.query<CurrentRun & { operationId: string }>(
    `select operation_id as "operationId", min(started_at) as "startedAt", sum(records)::float8 as records,
       sum(in_bytes)::float8 as "inBytes"
     from operation_runs where organization_id = $1 and operation_id = any($2) and started_at is not null
     group by operation_id`,
    [tx.scope.organizationId, operationIds],
  );
  return new Map(rows.map(({ operationId, ...run }) => [operationId, run]));
}
