import type pg from 'pg';

/** Tasks are taken a moment before their worker holds its lock. */
const minAge = '5 seconds';

/**
 * Locks of the workers of a process, on a connection of its own. The database drops them when the process ends, however it ends, so others
 * know at once that its tasks are free; the library alone waits for four hours.
 */
export class WorkerLocks {
  private ids: readonly string[] = [];

  private constructor(private readonly client: pg.PoolClient) {}

  static async open(pool: pg.Pool): Promise<WorkerLocks> {
    return new WorkerLocks(await pool.connect());
  }

  onLost(listener: (error: Error) => void): void {
    this.client.on('error', listener);
    this.client.on('end', () => listener(new Error('the connection to the database was closed')));
  }

  async hold(ids: readonly string[]): Promise<void> {
    this.ids = ids;
    await this.client.query(
      'select pg_advisory_lock(hashtextextended(id, 0)) from unnest($1::text[]) id',
      [ids],
    );
  }

  /** Releases the tasks of workers whose locks are free. @returns their names */
  async releaseDead(): Promise<string[]> {
    const { rows } = await this.client.query<{ id: string }>(
      `with holders as materialized (
         select distinct locked_by as id from graphile_worker._private_jobs
         where locked_at < now() - interval '${minAge}' and not locked_by = any($1)
       ), dead as materialized (
         select id from holders where pg_try_advisory_lock(hashtextextended(id, 0))
       ), released as materialized (
         select graphile_worker.force_unlock_workers(array_agg(id)) from dead having count(*) > 0
       )
       select id from dead left join released on true where pg_advisory_unlock(hashtextextended(id, 0))`,
      [this.ids],
    );
    return rows.map(({ id }) => id);
  }

  /** Counts the tasks of these kinds whose time has come and that no worker has taken, up to a maximum. */
  async countDue(tasks: readonly string[], max: number): Promise<number> {
    const { rows } = await this.client.query<{ due: number }>(
      `select count(*)::int as due from (
         select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         where t.identifier = any($1) and j.is_available and j.run_at <= now()
           and not exists (select from graphile_worker._private_job_queues q where q.id = j.job_queue_id and not q.is_available)
         limit $2
       ) d`,
      [tasks, max],
    );
    return rows[0]?.due ?? 0;
  }

  /** Closes the connection, because a shared one would keep the locks. */
  close(): void {
    this.client.release(true);
  }
}
