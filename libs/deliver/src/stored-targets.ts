import type { Transaction } from '#store';
import type { EndpointHealth } from './endpoint-health.js';

/** Addresses whose health is in columns of a table. */
export class StoredTargets {
  constructor(private readonly table: 'organization_webhooks' | 'webhook_receivers') {}

  async take(tx: Transaction, endpointId: string, now: Date, until: Date): Promise<boolean> {
    const taken = await tx.query(
      `with taken as (
         update ${this.table} set busy_until = $4
         where organization_id = $1 and id = $2 and (busy_until is null or busy_until <= $3)
         returning id
       ) select id from taken`,
      [tx.scope.organizationId, endpointId, now, until],
    );
    return taken.length > 0;
  }

  async lock(tx: Transaction, endpointId: string): Promise<EndpointHealth | undefined> {
    const [row] = await tx.query<EndpointHealth>(
      `select state, state_since as "stateSince", state_reason as "stateReason",
         failing_since as "failingSince", failures, resting_until as "restingUntil"
       from ${this.table} where organization_id = $1 and id = $2 for update`,
      [tx.scope.organizationId, endpointId],
    );
    return row;
  }

  async save(tx: Transaction, endpointId: string, health: EndpointHealth): Promise<void> {
    const { state, stateSince, stateReason, failingSince, failures, restingUntil } = health;
    await tx.query(
      `update ${this.table} set state = $3, state_since = $4, state_reason = $5,
         failing_since = $6, failures = $7, resting_until = $8, busy_until = null
       where organization_id = $1 and id = $2`,
      [
        tx.scope.organizationId,
        endpointId,
        state,
        stateSince,
        stateReason,
        failingSince,
        failures,
        restingUntil,
      ],
    );
  }
}
