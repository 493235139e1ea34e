import type { Transaction } from '#store';
import { releasePeriodMs, wakeEndpoints } from './waiting-deliveries.js';

/** A delivery as it is stored. */
export interface NewDelivery {
  id: string;
  endpoint_id: string;
  account_id: string | undefined;
  integration_id: string | undefined;
  event: string;
  payload: string;
  /** Null while its receiver is paused. */
  next_attempt_at: Date | null;
}

/** Stores deliveries in the transaction of their event; they are sent after the commit. */
export async function insertDeliveries(
  tx: Transaction,
  rows: readonly NewDelivery[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into deliveries
       (organization_id, id, endpoint_id, account_id, integration_id, event, payload, status, next_attempt_at, expires_at, created_at, updated_at)
     select $1, r.id, r.endpoint_id, r.account_id, r.integration_id, r.event, r.payload, 'waiting', r.next_attempt_at, $3, $4, $4
     from jsonb_to_recordset($2) as r(id text, endpoint_id text, account_id text, integration_id text, event text, payload text, next_attempt_at timestamptz)`,
    [tx.scope.organizationId, JSON.stringify(rows), new Date(at.getTime() + releasePeriodMs), at],
  );
  await wakeEndpoints(
    tx,
    rows.map((row) => row.endpoint_id),
  );
}
