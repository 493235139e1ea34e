import type { DynamicModule } from '@nestjs/common';
import type { Bus } from '#bus';
import { createIds, systemClock } from '#config';
import { JobRunner, Scheduler, StatusEvents } from '#jobs';
import type { Health, Metrics } from '#observe';
import { QueueWorker } from '#queue';
import type { Sealer } from '#secrets';
import { openPool, openStore } from '#store';
import { openDeliveries } from './open-deliveries.js';
import { grantRevocations } from './grant-revocations.js';
import { recordDisabled } from './record-disabled.js';
import { measureQueue } from './measure-queue.js';
import { repeat } from './repeat.js';
import { webhookRemovals } from './webhook-removals.js';

export interface OperationsOptions {
  databaseUrl: string;
  databasePool: number;
  sealer: Sealer;
  bus: Bus;
  health: Health;
  metrics: Metrics;
  /** How many pages of jobs run at once. */
  concurrentTasks: number;
  /** To how many webhooks deliveries are sent at once. */
  concurrentDeliveries: number;
  /** A further name of the header with the signature of deliveries. */
  signatureHeader?: string;
  /** How many records a page of a job has at most. */
  jobPageRecords: number;
  /** Addresses and ranges that may be called although they are not public. */
  egressAllow: readonly string[];
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
/** How soon the sink on `status-events` gets a change of a state. */
const statusIntervalMs = 2_000;

/** Runs what nobody waits for: the tasks of the queue. */
export async function openOperations(options: OperationsOptions): Promise<OpenOperations> {
  const { databaseUrl: url, databasePool: poolSize, sealer, bus, health, metrics } = options;
  const store = await openStore({ url, poolSize });
  sealer.checkKnown(await store.keysInUse());
  health.add('database of jobs', () => store.ping());
  const pool = openPool({ url, poolSize: queueConnections });
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
    pageRecords: options.jobPageRecords,
    onRecords: (count, size) => {
      records.add(count);
      bytes.add(size);
    },
    onFailure: (reason) => failures.add(reason),
  });
  const statusEvents = new StatusEvents({ store, bus, clock: systemClock });
  const deliveries = openDeliveries({
    store,
    sealer,
    metrics,
    egressAllow: options.egressAllow,
    signatureHeader: options.signatureHeader,
  });
  // Receivers that are slow hold places for seconds. Jobs have places of their own, so that they never wait for those.
  const workers = {
    queue: new QueueWorker({
      pool,
      handlers: [
        ...jobs.handlers,
        statusEvents.handler,
        webhookRemovals({ store, bus, sealer }),
        grantRevocations({ store, bus }),
      ],
      concurrency: options.concurrentTasks,
    }),
    'queue of deliveries': new QueueWorker({
      pool,
      handlers: [deliveries.handler],
      concurrency: options.concurrentDeliveries,
    }),
  };
  const stopWorkers = () => Promise.all(Object.values(workers).map((worker) => worker.stop()));
  const measurement = measureQueue(pool, metrics);
  const waking = repeat('status events not looked for', statusIntervalMs, () =>
    statusEvents.wake(),
  );
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
      waking.stop();
      await scheduler.stop();
      await stopWorkers(); // if the process could not start
      await deliveries.close();
      await pool.end();
      await store.close();
    },
  };
}
