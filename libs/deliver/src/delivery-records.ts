import type { Transaction } from '#store';
import type { AttemptResult } from './send-delivery.js';

/** Statements in the scope of an organization. */
export type Statements = Pick<Transaction, 'query' | 'scope'>;

/** A delivery that is due. */
export interface DueDelivery {
  id: string;
  payload: string;
  /** Failures since it was created or replayed. */
  failures: number;
  expiresAt: Date;
}

/** An attempt as it is stored. Times are in epoch milliseconds. */
export interface Attempt {
  delivery: DueDelivery;
  result: AttemptResult;
  startedAt: number;
  /** Microseconds. */
  duration: number;
  /** When the delivery is tried again; undefined if it is not. */
  nextAttemptAt: number | undefined;
}

/** Reads the deliveries of an address that are due, the one that is due for longest first. */
export async function readDue(
  tx: Statements,
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
export async function readNextDue(tx: Statements, endpointId: string): Promise<Date | undefined> {
  const [row] = await tx.query<{ at: Date | null }>(
    `select min(next_attempt_at) as at from deliveries
     where organization_id = $1 and endpoint_id = $2 and status = 'waiting'`,
    [tx.scope.organizationId, endpointId],
  );
  return row?.at ?? undefined;
}

/**
 * Stores attempts with what becomes of their deliveries. A delivery that another worker delivered meanwhile stays delivered.
 */
export async function recordAttempts(
  tx: Statements,
  attempts: readonly Attempt[],
  now: Date,
): Promise<void> {
  const rows = attempts.map(({ delivery, result, startedAt, duration, nextAttemptAt }) => ({
    id: delivery.id,
    started_at: new Date(startedAt),
    duration: Math.round(duration),
    status_code: result.statusCode,
    reason: result.reason,
    error: result.error,
    response: result.response,
    next_attempt_at: nextAttemptAt === undefined ? undefined : new Date(nextAttemptAt),
  }));
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
    [tx.scope.organizationId, JSON.stringify(rows), now],
  );
}

/** Ends all waiting deliveries of an address, or those whose time was over before a moment. */
export async function endWaiting(
  tx: Statements,
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
export async function holdWaiting(tx: Statements, endpointId: string): Promise<void> {
  await tx.query(
    `update deliveries set next_attempt_at = null
     where organization_id = $1 and endpoint_id = $2 and status = 'waiting' and next_attempt_at is not null`,
    [tx.scope.organizationId, endpointId],
  );
}
