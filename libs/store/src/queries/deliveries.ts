import type { Reader, Transaction } from '../transaction.js';

/** A delivery that is due. */
export interface DueDelivery {
  id: string;
  payload: string;
  /** Failures since it was created or replayed. */
  failures: number;
  expiresAt: Date;
}

/** An attempt and what becomes of its delivery. */
export interface AttemptRow {
  id: string;
  started_at: Date;
  /** Microseconds. */
  duration: number;
  status_code: number | undefined;
  reason: string | undefined;
  error: string | undefined;
  response: string | undefined;
  /** When the delivery is tried again; undefined if it is not. */
  next_attempt_at: Date | undefined;
}

/** An attempt as it is read. @template Attempt the columns that it has in responses */
export type ReadAttempt<Attempt> = Omit<Attempt, 'started_at' | 'duration'> & {
  delivery_id: string;
  started_at: Date;
  duration: string;
};

/** Lists the deliveries of an address that are due, the one that is due for longest first. */
export async function listDue(
  tx: Reader,
  endpointId: string,
  { at, limit }: { at: Date; limit: number },
): Promise<DueDelivery[]> {
  return await tx.query<DueDelivery>(
    `select id, payload, failures, expires_at as "expiresAt" from deliveries
     where organization_id = $1 and endpoint_id = $2 and status = 'waiting' and next_attempt_at <= $3
     order by next_attempt_at, id limit $4`,
    [tx.scope.organizationId, endpointId, at, limit],
  );
}

/** Returns when the next delivery of an address is due. */
export async function findNextDue(tx: Reader, endpointId: string): Promise<Date | undefined> {
  const [row] = await tx.query<{ at: Date | null }>(
    `select min(next_attempt_at) as at from deliveries
     where organization_id = $1 and endpoint_id = $2 and status = 'waiting'`,
    [tx.scope.organizationId, endpointId],
  );
  return row?.at ?? undefined;
}

/** Stores attempts with what becomes of their deliveries. A delivery that another worker delivered meanwhile stays delivered. */
export async function insertAttempts(
  tx: Transaction,
  attempts: readonly AttemptRow[],
  now: Date,
): Promise<void> {
  await tx.query(
    `with ended as (
       select * from jsonb_to_recordset($2) as r(id text, started_at timestamptz, duration bigint, status_code integer,
         reason text, error text, response text, next_attempt_at timestamptz)
     ), changed as (
       update deliveries d set
         attempts = d.attempts + 1,
         failures = d.failures + case when e.reason is null then 0 else 1 end,
         status = case when e.reason is null or d.status = 'delivered' then 'delivered'
           when d.status = 'failed' or e.next_attempt_at is null then 'failed' else 'waiting' end,
         reason = case when e.reason is null or d.status = 'delivered' then null else e.reason end,
         next_attempt_at = case when e.reason is null or d.status <> 'waiting' then null else e.next_attempt_at end,
         updated_at = $3
       from ended e where d.id = e.id and d.organization_id = $1
       returning d.id, d.attempts
     )
     insert into delivery_attempts
       (delivery_id, number, organization_id, started_at, duration, status_code, reason, error, response)
     select e.id, c.attempts, $1, e.started_at, e.duration, e.status_code, e.reason, e.error, e.response
     from changed c join ended e on e.id = c.id`,
    [tx.scope.organizationId, JSON.stringify(attempts), now],
  );
}

/** Lists the attempts of some deliveries in their order. */
export async function listAttempts<Attempt>(
  tx: Reader,
  deliveryIds: readonly string[],
): Promise<ReadAttempt<Attempt>[]> {
  return await tx.query<ReadAttempt<Attempt>>(
    `select delivery_id, number, started_at, duration, status_code, reason, error, response
     from delivery_attempts where organization_id = $1 and delivery_id = any($2) order by delivery_id, number`,
    [tx.scope.organizationId, deliveryIds],
  );
}

/** Ends all waiting deliveries of an address, or those whose time was over before a moment. */
export async function endWaiting(
  tx: Transaction,
  endpointId: string,
  { reason, now, expiredBefore }: { reason: string; now: Date; expiredBefore?: Date },
): Promise<void> {
  await tx.query(
    `update deliveries set status = 'failed', reason = $3, next_attempt_at = null, updated_at = $4
     where organization_id = $1 and endpoint_id = $2 and status = 'waiting'
       and ($5::timestamptz is null or expires_at < $5)`,
    [tx.scope.organizationId, endpointId, reason, now, expiredBefore ?? null],
  );
}

/** Takes the waiting deliveries of an address out of the schedule, while it is paused. */
export async function holdWaiting(tx: Transaction, endpointId: string): Promise<void> {
  await tx.query(
    `update deliveries set next_attempt_at = null
     where organization_id = $1 and endpoint_id = $2 and status = 'waiting' and next_attempt_at is not null`,
    [tx.scope.organizationId, endpointId],
  );
}

/** Lets deliveries of some addresses wait again, like new ones. */
export async function replay(
  tx: Transaction,
  {
    endpointIds,
    activeEndpointIds,
    statuses,
    ids,
    from,
    to,
    maxReplayed,
    now,
    expiresAt,
  }: {
    endpointIds: readonly string[];
    /** The addresses to which deliveries are sent now. */
    activeEndpointIds: readonly string[];
    statuses: readonly string[];
    ids: readonly string[] | null;
    from: string | null;
    to: string | null;
    maxReplayed: number;
    now: Date;
    expiresAt: Date;
  },
): Promise<{ id: string; endpoint_id: string }[]> {
  return await tx.query<{ id: string; endpoint_id: string }>(
    `with chosen as (
       select id from deliveries
       where organization_id = $1 and endpoint_id = any($2) and status = any($3)
         and ($4::text[] is null or id = any($4))
         and ($5::timestamptz is null or id >= onefold_delivery_bound($5))
         and ($6::timestamptz is null or id < onefold_delivery_bound($6))
       order by id limit $7 for update
     ), changed as (
       update deliveries d set status = 'waiting', failures = 0, expires_at = $9, updated_at = $8,
         next_attempt_at = case when d.endpoint_id = any($10) then $8::timestamptz end
       from chosen c where d.id = c.id returning d.id, d.endpoint_id
     )
     select id, endpoint_id from changed`,
    [
      tx.scope.organizationId,
      endpointIds,
      statuses,
      ids,
      from,
      to,
      maxReplayed,
      now,
      expiresAt,
      activeEndpointIds,
    ],
  );
}
