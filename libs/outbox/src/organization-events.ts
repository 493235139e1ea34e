import { randomBytes } from 'node:crypto';
import type { Ids } from '#config';
import type { ManagementSchemas } from '#contract';
import { kinds, type Reader, type Transaction } from '#store';
import { insertDeliveries } from './insert-deliveries.js';

type EventName = Exclude<ManagementSchemas['WebhookFilter'], 'all'>;

/** A change that webhooks of the account's environment hear of. */
export interface OrganizationEvent {
  event: EventName;
  account: { id: string; environment: string };
  integrationId?: string;
  /** The fields of the body beside `event` and `nonce`: records as responses show them, without secrets. */
  data: object;
}

/** Time and ids, such as a `ManagementContext`. */
export interface EventTools {
  ids: Ids;
  now(): Date;
}

/**
 * Stores deliveries of events in the transaction of the change, so that neither exists without the other: one for each webhook that
 * wants the event. They are sent after the commit. The events are of one account.
 */
export async function emitEvents(
  tools: EventTools,
  tx: Transaction,
  events: readonly OrganizationEvent[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const webhooks = await tx.query<{ id: string; state: string; filters: string[] }>(
    `select id, state, filters from organization_webhooks
     where organization_id = $1 and environment = $2 and state <> 'disabled'`,
    [tx.scope.organizationId, first.account.environment],
  );
  const at = tools.now();
  const rows = webhooks.flatMap(({ id: endpointId, state, filters }) =>
    events
      .filter(({ event }) => filters.includes(event) || filters.includes('all'))
      .map(({ event, account, integrationId, data }) => ({
        id: tools.ids.next(kinds.deliveries),
        endpoint_id: endpointId,
        account_id: account.id,
        integration_id: integrationId,
        event,
        payload: bodyOf(event, data),
        next_attempt_at: state === 'active' ? at : null,
      })),
  );
  await insertDeliveries(tx, rows, at);
}

/** Stores a delivery of the event `test` for one webhook. @returns its id */
export async function emitTest(
  tools: EventTools,
  tx: Transaction,
  webhook: { id: string },
  data: object,
): Promise<string> {
  const id = tools.ids.next(kinds.deliveries);
  const at = tools.now();
  const row = {
    id,
    endpoint_id: webhook.id,
    account_id: undefined,
    integration_id: undefined,
    event: 'test',
    payload: bodyOf('test', data),
    next_attempt_at: at,
  };
  await insertDeliveries(tx, [row], at);
  return id;
}

/** The body of a delivery, whose nonce makes it another one than any before. */
function bodyOf(event: string, data: object): string {
  return JSON.stringify({ event, nonce: randomBytes(16).toString('hex'), ...data });
}

/** A job as `operation_complete` shows it. */
export interface CompletedJob {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  accountId: string;
  integrationId: string;
  operation: string;
  input: object;
  status: string;
  errors: readonly { message: string }[] | null;
}

/** Emits `operation_complete` in the transaction that ends a job. */
export async function emitOperationComplete(
  tools: EventTools,
  tx: Transaction,
  job: CompletedJob,
): Promise<void> {
  const account = await accountOf(tx, job.accountId);
  const data = {
    id: job.id,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
    operation: job.operation,
    account_id: job.accountId,
    integration_id: job.integrationId,
    input: job.input,
    status: job.status,
    ...(job.errors === null ? {} : { errors: job.errors }),
  };
  await emitEvents(tools, tx, [
    { event: 'operation_complete', account, integrationId: job.integrationId, data },
  ]);
}

async function accountOf(tx: Reader, id: string): Promise<OrganizationEvent['account']> {
  return await tx.accounts.get(id);
}
