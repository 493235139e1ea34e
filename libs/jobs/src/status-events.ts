import { Logger } from '@nestjs/common';
import type { Bus } from '#bus';
import type { Clock } from '#config';
import { defineTask, enqueue, handleTask, type TaskHandler } from '#queue';
import { type Reader, type Store, type Transaction, wholeOrganization } from '#store';
import { callIntegration } from './call-integration.js';
import { ownSink } from './find-sink.js';
import { waitAfter } from './retry.js';

const log = new Logger('status events');
const maxBatch = 500;
/** Batches of one task; more wait for the next one, so that organizations take turns. */
const maxBatches = 20;

interface SendStatus {
  organizationId: string;
  /** Attempts at the oldest batch that have failed. */
  failures: number;
}

/** The organization decides how long: events that are never sent are dropped after a month, not the task. */
const sendStatus = defineTask<SendStatus>('status.send_events', { maxAttempts: 10_000 });

/** A change of the state of an integration, as the sink gets it. */
interface StatusEvent {
  id: string;
  event: 'integration_status';
  account_id: string;
  integration_id: string;
  created_at: string;
  status: string;
  error?: string;
  request: number;
}

export interface StatusEventsParts {
  store: Store;
  bus: Bus;
  clock: Clock;
}

/** Writes changes of the states of integrations to the sink on `status-events`: each at least once, in batches with stable ids. */
export class StatusEvents {
  constructor(private readonly parts: StatusEventsParts) {}

  get handler(): TaskHandler {
    return handleTask(sendStatus, (task) => this.send(task));
  }

  /** Enqueues a task for each organization that has something to send. Called from time to time: events wake nobody. */
  async wake(): Promise<void> {
    const { store } = this.parts;
    for (const organizationId of await store.statusBacklog())
      await store.write(wholeOrganization(organizationId), async (tx) => {
        const payload = { organizationId, failures: 0 };
        await enqueue(tx, sendStatus, payload, { key: keyOf(organizationId), ifAbsent: true });
      });
  }

  private async send({ organizationId, failures }: SendStatus): Promise<void> {
    const { store, bus } = this.parts;
    const scope = wholeOrganization(organizationId);
    for (let sent = 0; sent < maxBatches; sent += 1) {
      const work = await store.write(scope, async (tx) => await nextBatch(tx));
      if (work === undefined) return;
      const { sink, batchId, events } = work;
      const body = Buffer.from(JSON.stringify(events));
      const request = { operation: sink.operation, body, batchId };
      try {
        await callIntegration(bus, sink.integration, batchId, request);
      } catch (error) {
        const waitMs = waitAfter(error, failures, Math.random);
        log.warn({ message: 'status events not sent', error: String(error), wait_ms: waitMs });
        const runAt = new Date(this.parts.clock.now() + waitMs);
        const again = { organizationId, failures: failures + 1 };
        const key = keyOf(organizationId);
        await store.write(scope, (tx) => enqueue(tx, sendStatus, again, { key, runAt }));
        return;
      }
      failures = 0;
      await store.write(scope, (tx) => forget(tx, batchId));
    }
  }
}

function keyOf(organizationId: string): string {
  return `status events of ${organizationId}`;
}

/** Returns the oldest batch that was not acknowledged; makes one of the oldest events if there is none. */
async function nextBatch(tx: Transaction) {
  const sink = await ownSink(tx, 'status-events');
  if (sink === undefined) {
    await tx.query(
      'update integration_events set sink_batch = null where organization_id = $1 and sink_batch is not null',
      [tx.scope.organizationId],
    );
    return undefined;
  }
  const batchId = (await openBatch(tx)) ?? (await makeBatch(tx));
  if (batchId === undefined) return undefined;
  return { sink, batchId, events: await eventsOf(tx, batchId) };
}

async function openBatch(tx: Reader): Promise<string | undefined> {
  const [open] = await tx.query<{ batch: string }>(
    `select sink_batch as batch from integration_events
     where organization_id = $1 and sink_batch is not null and sink_batch <> 'new' order by id limit 1`,
    [tx.scope.organizationId],
  );
  return open?.batch;
}

async function makeBatch(tx: Transaction): Promise<string | undefined> {
  const [made] = await tx.query<{ batch: string | null }>(
    `with next as (
       select id from integration_events where organization_id = $1 and sink_batch = 'new' order by id limit $2 for update
     ), changed as (
       update integration_events set sink_batch = 'status-' || (select min(id) from next)
       where id in (select id from next) returning sink_batch
     )
     select min(sink_batch) as batch from changed`,
    [tx.scope.organizationId, maxBatch],
  );
  return made?.batch ?? undefined;
}

async function eventsOf(tx: Reader, batchId: string): Promise<StatusEvent[]> {
  const rows = await tx.query<Omit<StatusEvent, 'error'> & { error: string | null }>(
    `select id::text, 'integration_status' as event, account_id, integration_id, name as created_at, status, error,
       request::float8 as request
     from integration_events where organization_id = $1 and sink_batch = $2 order by id`,
    [tx.scope.organizationId, batchId],
  );
  return rows.map(({ error, ...event }) => ({ ...event, ...(error === null ? {} : { error }) }));
}

async function forget(tx: Transaction, batchId: string): Promise<void> {
  await tx.query(
    'update integration_events set sink_batch = null where organization_id = $1 and sink_batch = $2',
    [tx.scope.organizationId, batchId],
  );
}
