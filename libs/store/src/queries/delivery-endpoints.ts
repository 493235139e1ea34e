import type { OrganizationWebhook } from '../kinds/organization-webhooks.js';
import type { Reader, Transaction } from '../transaction.js';

/** A table of addresses that deliveries are sent to. */
export type EndpointTable = 'organization_webhooks' | 'webhook_receivers';

/** The columns that say whether an address works. */
export type EndpointHealthRow = Pick<
  OrganizationWebhook,
  'state' | 'stateSince' | 'stateReason' | 'failingSince' | 'failures' | 'restingUntil'
>;

/** An address of `webhook_config` of an integration, with this configuration. */
export interface ReceiverRow<Config> extends EndpointHealthRow {
  url: string;
  accountId: string;
  integrationId: string;
  webhookConfig: Config | null;
}

/** Lets one worker send to an address until a time. @returns false while another one does */
export async function take(
  tx: Transaction,
  table: EndpointTable,
  id: string,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const taken = await tx.query(
    `with taken as (
         update ${table} set busy_until = $4
         where organization_id = $1 and id = $2 and (busy_until is null or busy_until <= $3)
         returning id
       ) select id from taken`,
    [tx.scope.organizationId, id, now, until],
  );
  return taken.length > 0;
}

/** Finds the health of an address, and locks it. */
export async function lockHealth(
  tx: Transaction,
  table: EndpointTable,
  id: string,
): Promise<EndpointHealthRow | undefined> {
  const [row] = await tx.query<EndpointHealthRow>(
    `select state, state_since as "stateSince", state_reason as "stateReason",
         failing_since as "failingSince", failures, resting_until as "restingUntil"
       from ${table} where organization_id = $1 and id = $2 for update`,
    [tx.scope.organizationId, id],
  );
  return row;
}

/** Stores the health of an address, and lets other workers send to it. */
export async function saveHealth(
  tx: Transaction,
  table: EndpointTable,
  id: string,
  health: EndpointHealthRow,
): Promise<void> {
  const { state, stateSince, stateReason, failingSince, failures, restingUntil } = health;
  await tx.query(
    `update ${table} set state = $3, state_since = $4, state_reason = $5,
         failing_since = $6, failures = $7, resting_until = $8, busy_until = null
       where organization_id = $1 and id = $2`,
    [
      tx.scope.organizationId,
      id,
      state,
      stateSince,
      stateReason,
      failingSince,
      failures,
      restingUntil,
    ],
  );
}

/** Finds an address of `webhook_config` of an integration. */
export async function findReceiver<Config>(
  tx: Reader,
  id: string,
): Promise<ReceiverRow<Config> | undefined> {
  const [row] = await tx.query<ReceiverRow<Config>>(
    `select r.url, r.account_id as "accountId", r.integration_id as "integrationId", i.webhook_config as "webhookConfig",
         r.state, r.state_since as "stateSince", r.state_reason as "stateReason",
         r.failing_since as "failingSince", r.failures, r.resting_until as "restingUntil"
       from webhook_receivers r join integrations i on i.id = r.integration_id
       where r.organization_id = $1 and r.id = $2`,
    [tx.scope.organizationId, id],
  );
  return row;
}
