import { type Metrics, repeat } from '#observe';
import { queueDepth } from '#queue';
import type { Store } from '#store';
import { countJobs } from './count-jobs.js';

const queueIntervalMs = 5_000;
const deliveriesIntervalMs = 15_000;
/** Numbers that could not be read again for so long are not shown: an alert must not go by what was. */
const maxAgeMs = 60_000;

type Name = keyof typeof helps;

const helps = {
  onefold_tasks_waiting: 'Tasks that are due and not begun.',
  onefold_tasks_delayed: 'Tasks that wait for their time.',
  onefold_tasks_running: 'Tasks that run.',
  onefold_tasks_failed:
    'Tasks that failed as often as they may, and stay until an operator decides.',
  onefold_task_oldest_seconds: 'Seconds that the oldest waiting task has been due.',
  onefold_jobs_waiting: 'Runs of jobs that wait for their turn in their organization.',
  onefold_jobs_running: 'Runs of jobs that go on.',
  onefold_jobs_failing: 'Runs of jobs whose page failed and is tried again later.',
  onefold_job_oldest_seconds: 'Seconds that the oldest run has waited for its turn.',
  onefold_deliveries_waiting: 'Deliveries that are due or wait for their next attempt.',
  onefold_deliveries_held: 'Deliveries that wait for paused webhooks.',
  onefold_delivery_oldest_seconds: 'Seconds that the oldest delivery has been due.',
  onefold_alarm_mails_waiting: 'Alarms by mail that the mail server has not taken.',
  onefold_alarm_mail_oldest_seconds: 'Seconds that the oldest alarm by mail has waited.',
} as const;

/**
 * Shows how many tasks, jobs and deliveries of all organizations wait, and for how long. Each process with the database does, so that the
 * numbers are there when no worker is; all of them show the same, so read their maximum.
 */
export function measureBacklog(store: Store, metrics: Metrics): { stop: () => void } {
  if (metrics.has('onefold_tasks_waiting')) return { stop: () => undefined }; // several modules in one process
  const known = new Map<Name, { value: number; at: number }>();
  for (const [name, help] of Object.entries(helps) as [Name, string][])
    metrics.gaugeBy(name, help, [], () => {
      const found = known.get(name);
      return found === undefined || performance.now() - found.at > maxAgeMs
        ? []
        : [[[], found.value]];
    });
  const note = (numbers: Partial<Record<Name, number>>) => {
    for (const [name, value] of Object.entries(numbers))
      known.set(name as Name, { value, at: performance.now() });
  };
  const measurements = [
    repeat('queue not measured', queueIntervalMs, async () => note(await countTasks(store))),
    repeat('deliveries not measured', deliveriesIntervalMs, async () =>
      note(await countDeliveries(store)),
    ),
    repeat('alarms by mail not measured', deliveriesIntervalMs, async () =>
      note(await countAlarmMails(store)),
    ),
  ];
  return { stop: () => measurements.forEach((one) => one.stop()) };
}

async function countTasks(store: Store): Promise<Partial<Record<Name, number>>> {
  const tasks = await queueDepth(store);
  const jobs = await countJobs(store);
  const sum = (name: 'waiting' | 'delayed' | 'running' | 'failed') =>
    tasks.reduce((total, task) => total + task[name], 0);
  return {
    onefold_tasks_waiting: sum('waiting'),
    onefold_tasks_delayed: sum('delayed'),
    onefold_tasks_running: sum('running'),
    onefold_tasks_failed: sum('failed'),
    onefold_task_oldest_seconds: Math.max(0, ...tasks.map(({ oldestSeconds }) => oldestSeconds)),
    onefold_jobs_waiting: jobs.waiting,
    onefold_jobs_running: jobs.running,
    onefold_jobs_failing: jobs.failing,
    onefold_job_oldest_seconds: jobs.oldestSeconds,
  };
}

async function countDeliveries(store: Store): Promise<Partial<Record<Name, number>>> {
  const now = new Date();
  const { waiting, held, oldestDue } = await store.deliveryBacklog(now);
  const oldest = oldestDue === undefined ? 0 : (now.getTime() - oldestDue.getTime()) / 1_000;
  return {
    onefold_deliveries_waiting: waiting,
    onefold_deliveries_held: held,
    onefold_delivery_oldest_seconds: oldest,
  };
}

async function countAlarmMails(store: Store): Promise<Partial<Record<Name, number>>> {
  const { waiting, oldest } = await store.alarmMailBacklog();
  return {
    onefold_alarm_mails_waiting: waiting,
    onefold_alarm_mail_oldest_seconds:
      oldest === undefined ? 0 : Math.max(0, (Date.now() - oldest.getTime()) / 1_000),
  };
}
