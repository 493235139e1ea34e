import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { badRequest, type Call, conflict, type ManagementSchemas, type Reply } from '#contract';
import { fault, ManagementContext } from '#management/core';
import { releasePeriodMs, wakeEndpoints } from '#outbox';
import { type Delivery, kinds, listQuery, type Reader } from '#store';

type View = ManagementSchemas['Delivery'];
type Attempt = ManagementSchemas['DeliveryAttempt'];
type Replay = ManagementSchemas['ReplayDeliveriesRequest'];

const maxListed = 500;
const maxReplayed = 10_000;
const maxIds = 1_000;

/** `/v1/organization/webhooks/{webhookId}/deliveries`: the events that were sent to a webhook, or are to be. */
@Controller()
export class DeliveriesHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('organizationWebhooks_list_deliveries')
  async list(
    call: Call<'organizationWebhooks_list_deliveries'>,
  ): Promise<Reply<'organizationWebhooks_list_deliveries'>> {
    const { order, limit, ...rest } = call.query;
    const query = listQuery(
      { ...rest, limit: Math.min(limit ?? 100, maxListed), order: [readOrder(order)] },
      kinds.deliveries.fields,
    );
    return await this.context.read(call, async (tx) => {
      const { id: endpointId } = await tx.organizationWebhooks.get(call.path.webhookId);
      const { rows } = await tx.deliveries.list(query, { endpointId });
      const attempts = await readAttempts(tx, rows);
      return { result: rows.map((row) => deliveryView(row, attempts.get(row.id) ?? [])) };
    });
  }

  /** Sends deliveries again, with the ids and bodies that they had: for three days, like new ones. */
  @Handles('organizationWebhooks_replay_deliveries')
  async replay(
    call: Call<'organizationWebhooks_replay_deliveries'>,
  ): Promise<Reply<'organizationWebhooks_replay_deliveries'>> {
    return await this.context.write(call, async (tx) => {
      const webhook = await tx.organizationWebhooks.getLocked(call.path.webhookId);
      if (webhook.state === 'disabled')
        throw conflict(
          `the webhook "${webhook.name}" is disabled: ${webhook.stateReason ?? ''}`,
          'Replace /state by "active" first.',
        );
      const now = this.context.now();
      const { ids, from, to, statuses } = readReplay(call.body);
      const rows = await tx.query<{ id: string }>(
        `with chosen as (
           select id from deliveries
           where organization_id = $1 and endpoint_id = $2 and status = any($3)
             and ($4::text[] is null or id = any($4))
             and ($5::timestamptz is null or id >= onefold_delivery_bound($5))
             and ($6::timestamptz is null or id < onefold_delivery_bound($6))
           order by id limit $7 for update
         ), changed as (
           update deliveries d set status = 'waiting', failures = 0, next_attempt_at = $8, expires_at = $9, updated_at = $10
           from chosen c where d.id = c.id returning d.id
         )
         select id from changed`,
        [
          ...[tx.scope.organizationId, webhook.id, statuses, ids, from, to, maxReplayed],
          webhook.state === 'active' ? now : null,
          ...[new Date(now.getTime() + releasePeriodMs), now],
        ],
      );
      checkFound(ids, rows);
      if (rows.length > 0) await wakeEndpoints(tx, [webhook.id]);
      return { result: { replayed: rows.length, complete: rows.length < maxReplayed } };
    });
  }
}

/** The order of a list: ids sort by the time of their creation. @throws ApiError 400 */
function readOrder(order: string | null | undefined): string {
  const [, direction = 'desc'] =
    /^\s*created_at\s*(?:\[(asc|desc)\])?\s*$/i.exec(order ?? 'created_at') ?? fail(order);
  return `name[${direction}]`;
}

function fail(order: string | null | undefined): never {
  throw badRequest({
    location: 'query',
    pointer: 'order',
    message: 'is not created_at[asc] or created_at[desc]',
    remediation: 'Deliveries are ordered by the time of their creation.',
    value: order,
  });
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
function checkFound(ids: readonly string[] | null, rows: readonly { id: string }[]): void {
  const found = new Set(rows.map(({ id }) => id));
  const index = (ids ?? []).findIndex((id) => !found.has(id));
  if (index < 0) return;
  throw fault(
    `/delivery_ids/${index}`,
    'is not a delivery of the webhook, or not of these statuses',
    {
      value: ids?.[index],
      remediation: 'GET /v1/organization/webhooks/{webhookId}/deliveries lists those of 30 days.',
    },
  );
}

async function readAttempts(
  tx: Reader,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<string, Attempt[]>> {
  const ids = deliveries.filter(({ attempts }) => attempts > 0).map(({ id }) => id);
  const found = new Map<string, Attempt[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return found;
  const rows = await tx.query<Omit<Attempt, 'started_at' | 'duration'> & Row>(
    `select delivery_id, number, started_at, duration, status_code, reason, error, response
     from delivery_attempts where organization_id = $1 and delivery_id = any($2) order by delivery_id, number`,
    [tx.scope.organizationId, ids],
  );
  for (const { delivery_id: id, started_at: startedAt, duration, ...rest } of rows)
    found.get(id)?.push({
      ...(present(rest) as typeof rest),
      started_at: startedAt.toISOString(),
      duration: Number(duration),
    });
  return found;
}

interface Row {
  delivery_id: string;
  started_at: Date;
  duration: string;
}

function deliveryView(row: Delivery, attempts: Attempt[]): View {
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
