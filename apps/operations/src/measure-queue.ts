import { Logger } from '@nestjs/common';
import type { Metrics } from '#observe';
import { queueDepth } from '#queue';
import type pg from 'pg';

const log = new Logger('queue');
const intervalMs = 5_000;

/** Counts the tasks of all workers every five seconds, for the metrics. */
export function measureQueue(pool: pg.Pool, metrics: Metrics): { stop: () => void } {
  const totals = { waiting: 0, delayed: 0, running: 0, failed: 0, oldestSeconds: 0 };
  const measure = async () => {
    const tasks = await queueDepth(pool);
    const sum = (name: 'waiting' | 'delayed' | 'running' | 'failed') =>
      tasks.reduce((total, task) => total + task[name], 0);
    Object.assign(totals, {
      waiting: sum('waiting'),
      delayed: sum('delayed'),
      running: sum('running'),
      failed: sum('failed'),
      oldestSeconds: Math.max(0, ...tasks.map(({ oldestSeconds }) => oldestSeconds)),
    });
  };
  metrics.gauge(
    'onefold_tasks_waiting',
    'Tasks that are due and not begun, of all workers.',
    () => totals.waiting,
  );
  metrics.gauge('onefold_tasks_delayed', 'Tasks that wait for their time.', () => totals.delayed);
  metrics.gauge('onefold_tasks_running', 'Tasks that run.', () => totals.running);
  metrics.gauge(
    'onefold_tasks_failed',
    'Tasks that failed as often as they may, and stay until an operator decides.',
    () => totals.failed,
  );
  metrics.gauge(
    'onefold_task_oldest_seconds',
    'Seconds that the oldest waiting task has been due.',
    () => totals.oldestSeconds,
  );
  const timer = setInterval(
    () =>
      void measure().catch((error: unknown) =>
        log.debug({ message: 'queue not measured', error: String(error) }),
      ),
    intervalMs,
  );
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
