/** A kind of work that a worker does later. `Payload` holds ids and numbers only: whoever may read the queue may read it. */
export interface Task<Payload extends object> {
  /** `<room>.<verb>`, such as `jobs.run_page`; stored, so renaming one loses what is queued. */
  readonly name: string;
  /** How often a task that fails is tried, with waits that double up to six hours. */
  readonly maxAttempts: number;
  /** Lower numbers run first; tasks of one priority run in the order of their times. */
  readonly priority: number;
  /** Carries the type of the payload; never set. */
  readonly payload?: Payload;
}

export interface TaskOptions {
  /** 25 by default, which is three days. */
  maxAttempts?: number;
  /** 0 by default. */
  priority?: number;
}

export interface EnqueueOptions {
  /** The earliest time to run it; now by default. */
  runAt?: Date;
  /**
   * Names the task: while one of this key waits, it is replaced by the new one. One that is running stays, and the new one runs after or
   * beside it.
   */
  key?: string;
  /** Does nothing while a task of this key exists, waiting or running. */
  ifAbsent?: true;
  /** Tasks with the same queue run one at a time, so that those of one owner do not take the places of others. */
  queue?: string;
}

/** The part of a transaction that a task is enqueued with. */
export interface Statements {
  query(statement: string, parameters: unknown[]): Promise<unknown>;
}

/** Returns the rows of a result: transactions give them alone, connections beside what they know of them. */
export function rowsOf<Row>(found: unknown): Row[] {
  return Array.isArray(found) ? (found as Row[]) : (found as { rows: Row[] }).rows;
}

/** Declares a kind of task; `defineTask<{ jobId: string }>('jobs.run_page')`. */
export function defineTask<Payload extends object>(
  name: string,
  { maxAttempts = 25, priority = 0 }: TaskOptions = {},
): Task<Payload> {
  return { name, maxAttempts, priority };
}

/** Enqueues a task in the transaction of a change: both commit together, or neither does. Workers hear of it at the commit. */
export async function enqueue<Payload extends object>(
  tx: Statements,
  task: Task<Payload>,
  payload: Payload,
  { runAt, key, ifAbsent, queue }: EnqueueOptions = {},
): Promise<void> {
  await tx.query(
    `select from graphile_worker.add_job($1, payload => $2::json, run_at => $3::timestamptz,
       max_attempts => $4, job_key => $5, priority => $6, job_key_mode => $7, queue_name => $8)`,
    [
      task.name,
      JSON.stringify(payload),
      runAt?.toISOString() ?? null,
      task.maxAttempts,
      key ?? null,
      task.priority,
      ifAbsent ? 'unsafe_dedupe' : 'replace',
      queue ?? null,
    ],
  );
}
