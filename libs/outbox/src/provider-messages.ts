import { kinds, type Transaction } from '#store';
import { insertDeliveries } from './insert-deliveries.js';
import type { EventTools } from './organization-events.js';

/** Event of deliveries whose message does not mean an event that we know. */
const unknownEvent = 'ProviderMessage';

/** A message of a provider that receivers of an integration are to get. */
export interface ProviderMessage {
  integration: { id: string; accountId: string };
  /** Undefined if it means no event that we know. */
  event: string | undefined;
  /** The body of the deliveries, encrypted: it has records of the customer. */
  sealed: string;
  /** The addresses of `webhook_config` that want it. */
  urls: readonly string[];
}

/** Stores a delivery of a provider's message for each address that wants it. An address that is disabled gets none. */
export async function emitProviderMessage(
  tools: EventTools,
  tx: Transaction,
  { integration, event = unknownEvent, sealed, urls }: ProviderMessage,
): Promise<void> {
  const receivers = await findReceivers(tools, tx, integration, urls);
  const at = tools.now();
  await insertDeliveries(
    tx,
    receivers
      .filter(({ state }) => state !== 'disabled')
      .map(({ id, state }) => ({
        id: tools.ids.next(kinds.deliveries),
        endpoint_id: id,
        account_id: integration.accountId,
        integration_id: integration.id,
        event,
        payload: sealed,
        next_attempt_at: state === 'active' ? at : null,
      })),
    at,
  );
}

/** Finds the receivers of addresses; those that get their first message are made. */
async function findReceivers(
  tools: EventTools,
  tx: Transaction,
  { id: integrationId, accountId }: ProviderMessage['integration'],
  urls: readonly string[],
): Promise<{ id: string; state: string }[]> {
  const unique = [...new Set(urls)].sort();
  const find = () =>
    tx.query<{ id: string; state: string; url: string }>(
      `select id, state, url from webhook_receivers
       where organization_id = $1 and integration_id = $2 and url = any($3)`,
      [tx.scope.organizationId, integrationId, unique],
    );
  const known = await find();
  if (known.length === unique.length) return known;
  const rows = unique.map((url) => ({ id: tools.ids.next(kinds.webhookReceivers), url }));
  await tx.query(
    `insert into webhook_receivers
       (organization_id, id, name, fullname, created_at, updated_at, account_id, integration_id, url)
     select $1, r.id, r.id, r.url, $3, $3, $4, $5, r.url
     from jsonb_to_recordset($2) as r(id text, url text)
     on conflict (integration_id, url) do nothing`,
    [tx.scope.organizationId, JSON.stringify(rows), tools.now(), accountId, integrationId],
  );
  return await find();
}
