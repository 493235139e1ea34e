import type pg from 'pg';
import { createIds } from '#config';
import { JobRunner, Scheduler } from '#jobs';
import { recordDisabled } from '#apps/operations';
import { openPool } from '#store';
import type { Service } from './service.js';

/** Limits of a run that are never reached, so that those of schedules are. */
const runLimits = { durationMs: Infinity, pages: Infinity, bytes: Infinity };
/** How often workers look at schedules, in simulated time. */
const tickMs = 60_000;

/** A worker whose clock stands until it is set: schedules are fired and pages run in turn, until nothing is due. */
export class SimulatedWorker {
  /** Milliseconds since the epoch. */
  time = Date.now();
  readonly scheduler: Scheduler;
  private readonly runner: JobRunner;
  private readonly pool: pg.Pool;

  constructor({ store, bus, databaseUrl }: Service, pageRecords = 5) {
    this.pool = openPool({ url: databaseUrl, poolSize: 2 });
    const parts = { store, clock: { now: () => this.time }, ids: createIds(), recordDisabled };
    this.scheduler = new Scheduler(parts);
    const onRecords = () => undefined;
    this.runner = new JobRunner({ ...parts, bus, pageRecords, runLimits, onRecords });
  }

  /** Lets time pass in steps of a minute, or of another length; what is due is done after each. */
  async pass(ms: number, stepMs = tickMs): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      this.time += Math.min(stepMs, left);
      await this.scheduler.tick();
      await this.drain();
    }
  }

  /** Runs the pages that are due. */
  async drain(): Promise<void> {
    for (;;) {
      const { rows } = await this.pool.query<{ id: string; payload: object }>(
        `select j.id, j.payload from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id
         where t.identifier = 'jobs.run_page' and j.run_at <= greatest(now(), $1) order by j.run_at, j.id limit 1`,
        [new Date(this.time)],
      );
      const [task] = rows;
      if (task === undefined) return;
      await this.pool.query('delete from graphile_worker._private_jobs where id = $1', [task.id]);
      for (const { run } of this.runner.handlers)
        await run(task.payload as never, { attempt: 1, maxAttempts: 1 });
    }
  }

  async stop(): Promise<void> {
    await this.pool.end();
  }
}
