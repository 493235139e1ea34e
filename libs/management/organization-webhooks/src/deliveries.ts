import type { ManagementSchemas } from '#contract';
import { fault, readTimeOrder } from '#management/core';
import { releasePeriodMs, wakeEndpoints } from '#outbox';
import {
  type Delivery,
  deliveryQueries,
  kinds,
  type ListQuery,
  listQuery,
  type Reader,
  type Transaction,
} from '#store';

type View = ManagementSchemas['Delivery'];
type Attempt = ManagementSchemas['DeliveryAttempt'];
type Replay = ManagementSchemas['ReplayDeliveriesRequest'];

const maxListed = 500;
const maxReplayed = 10_000;
const maxIds = 1_000;

/** Reads the parameters of a list of deliveries. @throws ApiError 400 */
export function readDeliveryQuery({
  order,
  limit,
  ...rest
}: Record<string, unknown> & { order?: string | null; limit?: number | null }): ListQuery {
  return listQuery(
    {
      ...rest,
      limit: Math.min(limit ?? 100, maxListed),
      order: [readTimeOrder(order, 'Deliveries are ordered by the time of their creation.')],
    },
    kinds.deliveries.fields,
  );
}

/** An address whose deliveries are sent again. */
export interface ReplayedEndpoint {
  id: string;
  state: 'active' | 'paused' | 'disabled';
}

/**
 * Sends deliveries of some addresses again, with the ids and bodies that they had: for three days, like new ones.
 * @param list the path that lists them, for errors
 */
export async function replayDeliveries(
  tx: Transaction,
  endpoints: readonly ReplayedEndpoint[],
  { body, list, now }: { body: Replay; list: string; now: Date },
): Promise<ManagementSchemas['ReplayDeliveriesResponse']> {
  const chosen = readReplay(body);
  const active = endpoints.filter(({ state }) => state === 'active').map(({ id }) => id);
  const rows = await deliveryQueries.replay(tx, {
    ...chosen,
    endpointIds: endpoints.map(({ id }) => id),
    activeEndpointIds: active,
    maxReplayed,
    now,
    expiresAt: new Date(now.getTime() + releasePeriodMs),
  });
  checkFound(chosen.ids, rows, list);
  const woken = rows.map((row) => row.endpoint_id);
  if (woken.length > 0) await wakeEndpoints(tx, woken);
  return { result: { replayed: rows.length, complete: rows.length < maxReplayed } };
}

/** Reads which deliveries a request chooses. @throws ApiError 400 */
function readReplay({ delivery_ids: ids, from, to, statuses }: Replay) {
  const byIds = ids !== undefined && ids !== null;
  if (byIds && (from || to))
    throw fault('/delivery_ids', 'cannot be combined with from and to', {
      remediation: 'Send ids, or a range of times.',
    });
  if (!byIds && !from)
    throw fault('/delivery_ids', 'is missing', {
      remediation: 'Send delivery_ids, or the time from which deliveries are sent again.',
    });
  if (byIds && (ids.length === 0 || ids.length > maxIds))
    throw fault('/delivery_ids', `has ${ids.length} ids`, {
      remediation: `Send 1 to ${maxIds} ids, or a range of times.`,
    });
  if (from && to && Date.parse(from) >= Date.parse(to))
    throw fault('/to', 'is not after from', { value: to });
  return {
    ids: byIds ? [...new Set(ids)] : null,
    from: from ?? null,
    to: to ?? null,
    statuses: statuses ?? (byIds ? ['waiting', 'delivered', 'failed'] : ['failed']),
  };
}

/** @throws ApiError 400 naming the first id that is not a delivery of the webhook, so that nothing is sent again */
function checkFound(
  ids: readonly string[] | null,
  rows: readonly { id: string }[],
  list: string,
): void {
  const found = new Set(rows.map(({ id }) => id));
  const index = (ids ?? []).findIndex((id) => !found.has(id));
  if (index < 0) return;
  throw fault(
    `/delivery_ids/${index}`,
    'is not a delivery of the webhook, or not of these statuses',
    { value: ids?.[index], remediation: `GET ${list} lists those that are kept.` },
  );
}

export async function readAttempts(
  tx: Reader,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<string, Attempt[]>> {
  const ids = deliveries.filter(({ attempts }) => attempts > 0).map(({ id }) => id);
  const found = new Map<string, Attempt[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return found;
  const rows = await deliveryQueries.listAttempts<Attempt>(tx, ids);
  for (const { delivery_id: id, started_at: startedAt, duration, ...rest } of rows)
    found.get(id)?.push({
      ...(present(rest) as typeof rest),
      started_at: startedAt.toISOString(),
      duration: Number(duration),
    });
  return found;
}

export function deliveryView(row: Delivery, attempts: Attempt[]): View {
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    event: row.event,
    status: row.status,
    expires_at: row.expiresAt.toISOString(),
    payload: JSON.parse(row.payload) as View['payload'],
    attempts,
    ...present({
      account_id: row.accountId,
      integration_id: row.integrationId,
      reason: row.reason,
      next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    }),
  };
}

function present<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null),
  ) as Partial<T>;
}
