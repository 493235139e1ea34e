import { defineTask, enqueue, handleTask, type TaskHandler } from '#queue';
import { emitEvents, type EventTools } from '#outbox';
import { type Store, type Transaction, wholeOrganization } from '#store';

/** Changes of one transaction; more wait for the next one. */
const maxBatch = 200;
/** Batches of one task; more wait for the next task, so that organizations take turns. */
const maxBatches = 20;

interface EmitStatus {
  organizationId: string;
}

const emitStatus = defineTask<EmitStatus>('status.emit_webhooks', { maxAttempts: 100 });

/** A change of a state, with the state before it. */
interface StatusChange {
  account_id: string;
  environment: string;
  integration_id: string;
  created_at: string;
  status: string;
  previous_status: string | null;
  error: string | null;
  request: number;
  request_id: string | null;
}

export interface StatusWebhooksParts extends EventTools {
  store: Store;
}

/** Makes deliveries of changes of the states of integrations, for the webhooks of their organization that want `integration_status`. */
export class StatusWebhooks {
  constructor(private readonly parts: StatusWebhooksParts) {}

  get handler(): TaskHandler {
    return handleTask(emitStatus, (task) => this.emit(task));
  }

  /** Enqueues a task for each organization that has changes waiting. Called from time to time: changes wake nobody. */
  async wake(): Promise<void> {
    const { store } = this.parts;
    for (const organizationId of await store.statusWebhooksBacklog())
      await store.write(wholeOrganization(organizationId), async (tx) => {
        const key = `status webhooks of ${organizationId}`;
        await enqueue(tx, emitStatus, { organizationId }, { key, ifAbsent: true });
      });
  }

  private async emit({ organizationId }: EmitStatus): Promise<void> {
    const scope = wholeOrganization(organizationId);
    for (let batch = 0; batch < maxBatches; batch += 1) {
      const count = await this.parts.store.write(scope, async (tx) => {
        const changes = await takeChanges(tx);
        // Deliveries of one call have one time, by which nobody can tell which change was first.
        for (const change of changes) await this.emitOne(tx, change);
        return changes.length;
      });
      if (count < maxBatch) return;
    }
  }

  private async emitOne(tx: Transaction, change: StatusChange): Promise<void> {
    const { environment, previous_status: before, error, request_id: requestId, ...rest } = change;
    const data = {
      ...rest,
      ...(before === null ? {} : { previous_status: before }),
      ...(error === null ? {} : { error }),
      ...(requestId === null ? {} : { request_id: requestId }),
    };
    const { account_id: id, integration_id: integrationId } = change;
    const account = { id, environment };
    await emitEvents(this.parts, tx, [
      { event: 'integration_status', account, integrationId, data },
    ]);
  }
}

/** Takes the oldest changes that wait, in the transaction that stores their deliveries. */
async function takeChanges(tx: Transaction): Promise<StatusChange[]> {
  return await tx.query<StatusChange>(
    `with next as (
       select id from integration_events where organization_id = $1 and for_webhooks order by id limit $2 for update
     ), taken as (
       update integration_events set for_webhooks = false where id in (select id from next)
       returning id, account_id, integration_id, name, status, error, request, request_id
     )
     select t.account_id, a.environment, t.integration_id, t.name as created_at, t.status,
         (select b.status from integration_events b where b.integration_id = t.integration_id and b.name < t.name
           order by b.name desc limit 1) as previous_status,
         t.error, t.request::float8 as request, t.request_id
       from taken t join accounts a on a.id = t.account_id order by t.id`,
    [tx.scope.organizationId, maxBatch],
  );
}
