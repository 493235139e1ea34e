import type { Integration, Reader, Transaction } from '#store';

/** A run begins so long after the event at the earliest, so that many events make one run and the provider shows what it reports. */
export const eventDelayMs = 3_000;
/** An event that comes while a run goes on is looked at again when that ends, and after this time at the latest. */
export const eventRetryMs = 60 * 60_000;

/**
 * Has the schedules run that an event starts, in the transaction that takes in the message of the provider. One that is about to run
 * is left as it is. Locks schedules in the order of their ids, as two messages may start the same ones.
 * @param event undefined for a message that could not be read: it may mean any event
 */
export async function startByEvent(
  tx: Transaction,
  integrationId: string,
  event: string | undefined,
  now: Date,
): Promise<void> {
  const at = new Date(now.getTime() + eventDelayMs);
  await tx.query(
    `update operation_schedules set next_at = $4, earliest_at = $4::timestamptz - period_ms * interval '1 millisecond'
     where id in (
       select s.id from operation_schedules s join operations o on o.id = s.id
       where s.organization_id = $1 and s.integration_id = $2 and s.event is not null and ($3::text is null or s.event = $3)
         and o.status in ('SCHEDULED', 'PROCESSING') and (s.next_at is null or s.next_at > $4)
       order by s.id for update of s)`,
    [tx.scope.organizationId, integrationId, event ?? null, at],
  );
}

/** True if the provider can report events of an integration: a webhook was registered, or made by hand with a known secret. */
export async function hasWebhook(
  tx: Reader,
  { id: integrationId, webhookConfig }: Pick<Integration, 'id' | 'webhookConfig'>,
): Promise<boolean> {
  const { provider_key: key } = (webhookConfig ?? {}) as { provider_key?: unknown };
  return Boolean(key) || (await tx.integrationWebhooks.all({ integrationId })).length > 0;
}
