import type { DynamicModule } from '@nestjs/common';
import type { Bus } from '#bus';
import { createIds, OperationsSettings, systemClock } from '#config';
import { JobRunner, measureBacklog, Scheduler, StatusEvents, StatusWebhooks } from '#jobs';
import { type Health, type Metrics, repeat } from '#observe';
import { QueueWorker } from '#queue';
import type { Sealer } from '#secrets';
import { measurePool, openPool, openStore } from '#store';
import { openAlarmMails } from './open-alarm-mails.js';
import { openDeliveries } from './open-deliveries.js';
import { grantRevocations } from './grant-revocations.js';
import { recordDisabled } from './record-disabled.js';
import { webhookRemovals } from './webhook-removals.js';

export interface OperationsOptions extends Partial<OperationsSettings> {
  databaseUrl: string;
  databasePool: number;
  sealer: Sealer;
  bus: Bus;
  health: Health;
  metrics: Metrics;
  /** Where people reach the console, known once it is served; by default what the settings say. */
  consoleAddress?: () => string | undefined;
}

/** The worker, connected to the database. */
export interface OpenOperations {
  module: DynamicModule;
  /** Finishes the tasks that run, and takes no more. */
  drain: () => Promise<void>;
  close: () => Promise<void>;
}

class OperationsModule {}

/** Connections of the queue: each of the two workers keeps two, the others are used for moments. */
const queueConnections = 7;
/** How soon a change of a state is found for the sink on `status-events`, for webhooks and for mails. */
const statusIntervalMs = 2_000;

/** Runs what nobody waits for: the tasks of the queue. */
export async function openOperations(options: OperationsOptions): Promise<OpenOperations> {
  const { databaseUrl: url, databasePool: poolSize, sealer, bus, health, metrics } = options;
  const settings = { ...new OperationsSettings(), ...options };
  const store = await openStore({ url, poolSize }, metrics);
  sealer.checkKnown(await store.keysInUse());
  health.add('database of jobs', () => store.checkReady());
  const pool = openPool({ url, poolSize: queueConnections });
  measurePool(metrics, pool);
  const records = metrics.counter(
    'onefold_job_records_total',
    'Records of jobs that their sinks have taken.',
  );
  const bytes = metrics.counter(
    'onefold_job_bytes_total',
    'Bytes of records of jobs that their sinks have taken.',
  );
  const failures = metrics.counterBy(
    'onefold_job_page_failures_total',
    'Pages of jobs that failed: whether reading or writing them, and why.',
    'reason',
  );
  const parts = { store, clock: systemClock, ids: createIds(), recordDisabled };
  const scheduler = new Scheduler(parts);
  const jobs = new JobRunner({
    ...parts,
    bus,
    pageRecords: settings.jobPageRecords,
    runLimits: {
      durationMs: settings.jobRunHours * 3_600_000,
      pages: settings.jobRunPages,
      bytes: settings.jobRunBytes,
    },
    onRecords: (count, size) => {
      records.add(count);
      bytes.add(size);
    },
    onFailure: (reason) => failures.add(reason),
  });
  const statusEvents = new StatusEvents({ store, bus, clock: systemClock });
  const now = () => new Date(systemClock.now());
  const statusWebhooks = new StatusWebhooks({ store, ids: parts.ids, now });
  const deliveries = openDeliveries({
    store,
    sealer,
    metrics,
    health,
    egressAllow: settings.egressAllow,
    egressProxy: settings.egressProxy,
    egressProxyExcept: settings.egressProxyExcept,
    signatureHeader: settings.signatureHeader,
  });
  const alarmMails = await openAlarmMails({
    ...settings,
    store,
    metrics,
    consoleUrl: options.consoleAddress ?? (() => settings.consoleUrl),
  });
  const begun = (task: string) => metrics.request(task);
  // Receivers that are slow hold places for seconds. Jobs have places of their own, so that they never wait for those.
  const workers = {
    queue: new QueueWorker({
      pool,
      handlers: [
        ...jobs.handlers,
        statusEvents.handler,
        statusWebhooks.handler,
        webhookRemovals({ store, bus, sealer }),
        grantRevocations({ store, bus }),
      ],
      concurrency: settings.concurrentTasks,
      begun,
    }),
    'queue of deliveries': new QueueWorker({
      pool,
      handlers: [deliveries.handler, ...alarmMails.handlers],
      concurrency: settings.concurrentDeliveries,
      begun,
    }),
  };
  const stopWorkers = () => Promise.all(Object.values(workers).map((worker) => worker.stop()));
  const measurement = measureBacklog(store, metrics);
  const waking = [
    repeat('status events not looked for', statusIntervalMs, () => statusEvents.wake()),
    repeat('changes of states not looked for', statusIntervalMs, () => statusWebhooks.wake()),
    repeat('alarms to mail not looked for', statusIntervalMs, () => alarmMails.wake()),
  ];
  for (const [name, worker] of Object.entries(workers)) {
    health.add(name, () => worker.check());
    worker.start();
  }
  scheduler.start();
  return {
    module: { module: OperationsModule },
    drain: async () => {
      deliveries.drain();
      await scheduler.stop();
      await stopWorkers();
    },
    close: async () => {
      measurement.stop();
      for (const one of waking) one.stop();
      await scheduler.stop();
      await stopWorkers(); // if the process could not start
      await deliveries.close();
      alarmMails.close();
      await pool.end();
      await store.close();
    },
  };
}
