import type { Task } from './task.js';

/** One attempt at a task. */
export interface TaskRun {
  /** Counts from 1. */
  attempt: number;
  maxAttempts: number;
}

/** A task with the code that does it. */
export interface TaskHandler {
  task: Task<object>;
  run: (payload: never, run: TaskRun) => Promise<void>;
}

/**
 * Binds code to a task. A task may run more than once, also at the same time as itself (a worker that lost the database does not know that
 * another one took over), so the code makes sure in its own transactions that this does no harm. What it throws is tried again later.
 */
export function handleTask<Payload extends object>(
  task: Task<Payload>,
  run: (payload: Payload, run: TaskRun) => Promise<void>,
): TaskHandler {
  return { task, run };
}
