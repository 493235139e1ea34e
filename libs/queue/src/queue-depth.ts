import { rowsOf, type Statements } from './task.js';

/** Tasks of one kind in the queue. */
export interface TaskDepth {
  task: string;
  /** Tasks whose time has come and that no worker has taken. */
  waiting: number;
  /** Tasks whose time has not come. */
  delayed: number;
  running: number;
  /** Tasks that failed as often as they may; they stay until an operator decides. */
  failed: number;
  /** Seconds that the oldest waiting task has been due. */
  oldestSeconds: number;
}

/** Counts the tasks of all workers, by kind. */
export async function queueDepth(statements: Statements): Promise<TaskDepth[]> {
  const found = await statements.query(
    `select t.identifier as task,
       count(*) filter (where j.is_available and j.run_at <= now())::int as waiting,
       count(*) filter (where j.is_available and j.run_at > now())::int as delayed,
       count(*) filter (where j.locked_at is not null)::int as running,
       count(*) filter (where j.locked_at is null and not j.is_available)::int as failed,
       coalesce(extract(epoch from now() - min(j.run_at) filter (where j.is_available and j.run_at <= now())), 0)::float
         as "oldestSeconds"
     from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     group by 1 order by 1`,
    [],
  );
  return rowsOf(found);
}
