import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Runner, TaskList, Worker } from 'graphile-worker';
import type pg from 'pg';
import { inSpan } from '#observe';
import { describeError, quietLogger } from './library-log.js';
import { WorkerLocks } from './worker-locks.js';
import type { TaskHandler } from './task-handler.js';

const log = new Logger('queue');
/** How soon a task is found whose time has come: one look for all places. Workers hear of tasks without a time at once. */
const lookIntervalMs = 1_000;
/** The library's own polling, by each place; nothing needs it but a look that the database has lost. */
const pollIntervalMs = 60_000;
const sweepIntervalMs = 5_000;
const maxWaitMs = 10_000;

export interface QueueWorkerOptions {
  /** Connections as the role of the services. Two are kept; the others are used for moments. */
  pool: pg.Pool;
  handlers: readonly TaskHandler[];
  /** How many tasks run at once. */
  concurrency: number;
  /** Called when a task begins. @returns what is called at its end, with 200, or 500 if it failed */
  begun?: (task: string) => (status: number) => void;
}

/** Runs the tasks of the queue together with the workers of other processes. It survives the loss of the database. */
export class QueueWorker {
  private readonly stopping = new AbortController();
  private runner: Runner | undefined;
  private ended: Promise<void> = Promise.resolve();
  /** The reason for which no tasks run, if so. */
  private failure: string | undefined = 'starting';

  constructor(private readonly options: QueueWorkerOptions) {}

  /** Starts to take tasks, and goes on until {@link stop}. */
  start(): void {
    this.ended = this.keepRunning();
  }

  /** Finishes the tasks that run, and takes no more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.runner?.stop().catch(() => undefined); // it has stopped already
    await this.ended;
  }

  /** @throws Error while no tasks run */
  check(): void {
    if (this.failure !== undefined) throw new Error(this.failure);
  }

  private async keepRunning(): Promise<void> {
    for (
      let waitMs = 250;
      !this.stopping.signal.aborted;
      waitMs = Math.min(waitMs * 2, maxWaitMs)
    ) {
      const started = Date.now();
      try {
        await this.run();
      } catch (error) {
        this.failure = describeError(error);
        log.warn({ message: 'queue stopped, starting it again', error: this.failure });
      }
      if (Date.now() - started > maxWaitMs) waitMs = 250;
      await sleep(waitMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Runs tasks until the worker is stopped or cannot go on. */
  private async run(): Promise<void> {
    const { pool, concurrency } = this.options;
    const { run } = await import('graphile-worker'); // a tenth of a second that no start waits for
    const locks = await WorkerLocks.open(pool);
    const events = new EventEmitter();
    const workers: Worker[] = [];
    events.on('worker:create', ({ worker }: { worker: Worker }) => workers.push(worker));
    const sweeping = new AbortController();
    try {
      // The library runs with one worker less when one could not report the end of a task, so all of them start again.
      const lost = new Promise<never>((_, reject) => {
        events.on('worker:fatalError', ({ error }: { error: unknown }) => reject(error as Error));
        locks.onLost((error) => reject(error));
      });
      lost.catch(() => undefined);
      this.runner = await run({
        pgPool: pool,
        concurrency,
        pollInterval: pollIntervalMs,
        noHandleSignals: true,
        events,
        logger: await quietLogger(),
        taskList: this.taskList(),
        parsedCronItems: [],
      });
      const ended = this.runner.promise;
      ended.catch(() => undefined);
      if (this.stopping.signal.aborted) void this.runner.stop().catch(() => undefined);
      await locks.hold(workers.map(({ workerId }) => workerId));
      this.failure = undefined;
      const sweep = this.sweep(locks, sweeping.signal);
      const look = this.look(locks, workers, sweeping.signal);
      await Promise.race([ended, lost, sweep.then(() => ended), look.then(() => ended)]);
    } finally {
      sweeping.abort();
      await this.runner?.stop().catch(() => undefined); // it has stopped already
      this.runner = undefined;
      locks.close();
    }
  }

  private async sweep(locks: WorkerLocks, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const released = await locks.releaseDead();
      if (released.length > 0)
        log.warn({ message: 'released the tasks of workers that ended', workers: released.length });
      await sleep(sweepIntervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Wakes as many places as there are tasks whose time has come. */
  private async look(
    locks: WorkerLocks,
    workers: readonly Worker[],
    signal: AbortSignal,
  ): Promise<void> {
    const names = this.options.handlers.map(({ task }) => task.name);
    while (!signal.aborted) {
      await sleep(lookIntervalMs, undefined, { signal }).catch(() => undefined);
      if (isOver(signal) || this.stopping.signal.aborted) return;
      let due = await locks.countDue(names, workers.length);
      if (isOver(signal) || this.stopping.signal.aborted) return; // its workers may be gone
      for (const worker of workers) if (due > 0 && worker.nudge()) due -= 1;
    }
  }

  private taskList(): TaskList {
    return Object.fromEntries(
      this.options.handlers.map(({ task, run }) => [
        task.name,
        async (payload, { job }) => {
          const ended = this.options.begun?.(task.name);
          const attempt = { attempt: job.attempts, maxAttempts: job.max_attempts };
          try {
            await inSpan(task.name, { kind: 'consumer' }, () => run(payload as never, attempt));
            ended?.(200);
          } catch (error) {
            ended?.(500);
            log.warn({
              message: 'task failed, trying again later',
              task: task.name,
              attempt: job.attempts,
              error: describeError(error),
            });
            throw error;
          }
        },
      ]),
    );
  }
}

/** The type checker does not know that a signal changes during a wait. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}
