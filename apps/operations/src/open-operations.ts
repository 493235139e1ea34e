import type { DynamicModule } from '@nestjs/common';
import type { Bus } from '#bus';
import { createIds, systemClock } from '#config';
import { JobRunner } from '#jobs';
import type { Health, Metrics } from '#observe';
import { QueueWorker } from '#queue';
import type { Sealer } from '#secrets';
import { openPool, openStore } from '#store';
import { openDeliveries } from './open-deliveries.js';
import { measureQueue } from './measure-queue.js';

export interface OperationsOptions {
  databaseUrl: string;
  databasePool: number;
  sealer: Sealer;
  bus: Bus;
  health: Health;
  metrics: Metrics;
  /** How many tasks run at once. */
  concurrentTasks: number;
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

/** Connections of the queue: two are kept, the others are used for moments. */
const queueConnections = 5;

/** Runs what nobody waits for: the tasks of the queue. */
export async function openOperations(options: OperationsOptions): Promise<OpenOperations> {
  const { databaseUrl: url, databasePool: poolSize, sealer, bus, health, metrics } = options;
  const store = await openStore({ url, poolSize });
  sealer.checkKnown(await store.keyIds());
  health.add('database of jobs', () => store.ping());
  const pool = openPool({ url, poolSize: queueConnections });
  const records = metrics.counter(
    'onefold_job_records_total',
    'Records of jobs that their sinks have taken.',
  );
  const jobs = new JobRunner({
    ...{ store, bus, clock: systemClock, ids: createIds() },
    pageRecords: options.jobPageRecords,
    onRecords: (count) => records.add(count),
  });
  const deliveries = openDeliveries({ store, sealer, metrics, egressAllow: options.egressAllow });
  const handlers = [...jobs.handlers, deliveries.handler];
  const worker = new QueueWorker({ pool, handlers, concurrency: options.concurrentTasks });
  const measurement = measureQueue(pool, metrics);
  health.add('queue', () => worker.check());
  worker.start();
  return {
    module: { module: OperationsModule },
    drain: async () => {
      deliveries.drain();
      await worker.stop();
    },
    close: async () => {
      measurement.stop();
      await worker.stop(); // if the process could not start
      await deliveries.close();
      await pool.end();
      await store.close();
    },
  };
}
