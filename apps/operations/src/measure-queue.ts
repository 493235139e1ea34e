import type pg from 'pg';
import type { Metrics } from '#observe';
import { queueDepth } from '#queue';
import { repeat } from './repeat.js';

const intervalMs = 5_000;

/** Numbers of all workers together. */
interface Numbers {
  waiting: number;
  delayed: number;
  running: number;
  failed: number;
  oldestSeconds: number;
  jobs: { waiting: number; running: number; failing: number; oldestSeconds: number };
}

/** Counts the tasks and jobs of all workers every five seconds, for the metrics. */
export function measureQueue(pool: pg.Pool, metrics: Metrics): { stop: () => void } {
  let now: Numbers = {
    waiting: 0,
    delayed: 0,
    running: 0,
    failed: 0,
    oldestSeconds: 0,
    jobs: { waiting: 0, running: 0, failing: 0, oldestSeconds: 0 },
  };
  const gauge = (name: string, help: string, read: (numbers: Numbers) => number) =>
    metrics.gauge(name, help, () => read(now));
  gauge('onefold_tasks_waiting', 'Tasks that are due and not begun.', (n) => n.waiting);
  gauge('onefold_tasks_delayed', 'Tasks that wait for their time.', (n) => n.delayed);
  gauge('onefold_tasks_running', 'Tasks that run.', (n) => n.running);
  gauge(
    'onefold_tasks_failed',
    'Tasks that failed as often as they may, and stay until an operator decides.',
    (n) => n.failed,
  );
  gauge(
    'onefold_task_oldest_seconds',
    'Seconds that the oldest waiting task has been due.',
    (n) => n.oldestSeconds,
  );
  gauge(
    'onefold_jobs_waiting',
    'Runs of jobs that wait for their turn in their organization.',
    (n) => n.jobs.waiting,
  );
  gauge('onefold_jobs_running', 'Runs of jobs that go on.', (n) => n.jobs.running);
  gauge(
    'onefold_jobs_failing',
    'Runs of jobs whose page failed and is tried again later.',
    (n) => n.jobs.failing,
  );
  gauge(
    'onefold_job_oldest_seconds',
    'Seconds that the oldest run has waited for its turn.',
    (n) => n.jobs.oldestSeconds,
  );
  const measure = async () => {
    now = await count(pool);
  };
  return repeat('queue not measured', intervalMs, measure);
}

async function count(pool: pg.Pool): Promise<Numbers> {
  const tasks = await queueDepth(pool);
  const sum = (name: 'waiting' | 'delayed' | 'running' | 'failed') =>
    tasks.reduce((total, task) => total + task[name], 0);
  const { rows } = await pool.query<Numbers['jobs']>(
    `select waiting::int, running::int, failing::int, oldest_seconds as "oldestSeconds" from onefold_job_counts()`,
  );
  return {
    waiting: sum('waiting'),
    delayed: sum('delayed'),
    running: sum('running'),
    failed: sum('failed'),
    oldestSeconds: Math.max(0, ...tasks.map(({ oldestSeconds }) => oldestSeconds)),
    jobs: rows[0] ?? { waiting: 0, running: 0, failing: 0, oldestSeconds: 0 },
  };
}
