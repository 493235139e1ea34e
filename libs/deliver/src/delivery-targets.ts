import { Secret, type Sealer } from '#secrets';
import type { Reader, Transaction } from '#store';
import type { EndpointHealth } from './endpoint-health.js';

/** Where deliveries of an address go, and how they are signed. */
export interface DeliveryTarget {
  /** The path of the record in the API, for the audit trail. */
  path: string;
  url: string;
  /** Undefined if the secret has expired or is gone. */
  secret: Secret | undefined;
  health: EndpointHealth;
}

/** The addresses of one kind, by their ids. Undefined is returned for one that was deleted. */
export interface DeliveryTargets {
  find(tx: Reader, endpointId: string, now: Date): Promise<DeliveryTarget | undefined>;
  /** Reserves an address for a worker until a time. @returns false if another one has it */
  take(tx: Transaction, endpointId: string, now: Date, until: Date): Promise<boolean>;
  /** Locks an address until the transaction ends. */
  lock(tx: Transaction, endpointId: string): Promise<EndpointHealth | undefined>;
  /** Stores the health of an address, and releases it. */
  save(tx: Transaction, endpointId: string, health: EndpointHealth): Promise<void>;
}

/** Organization webhooks. Their secrets are credentials of theirs. */
export class OrganizationWebhookTargets implements DeliveryTargets {
  constructor(private readonly sealer: Sealer) {}

  async find(tx: Reader, endpointId: string, now: Date): Promise<DeliveryTarget | undefined> {
    const webhook = await tx.organizationWebhooks.find(endpointId);
    if (webhook === undefined) return undefined;
    const { organizationId, url, credentialId } = webhook;
    const credential = await tx.credentials.find(credentialId);
    const isUsable =
      credential !== undefined && (credential.expires === null || credential.expires > now);
    return {
      path: `/v1/organization/webhooks/${webhook.id}`,
      url,
      secret: isUsable ? secretOf(this.sealer.open(organizationId, credential.sealed)) : undefined,
      health: webhook,
    };
  }

  async take(tx: Transaction, endpointId: string, now: Date, until: Date): Promise<boolean> {
    const taken = await tx.query(
      `with taken as (
         update organization_webhooks set busy_until = $4
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
       from organization_webhooks where organization_id = $1 and id = $2 for update`,
      [tx.scope.organizationId, endpointId],
    );
    return row;
  }

  async save(tx: Transaction, endpointId: string, health: EndpointHealth): Promise<void> {
    const { state, stateSince, stateReason, failingSince, failures, restingUntil } = health;
    await tx.query(
      `update organization_webhooks set state = $3, state_since = $4, state_reason = $5,
         failing_since = $6, failures = $7, resting_until = $8, busy_until = null
       where organization_id = $1 and id = $2`,
      [
        ...[tx.scope.organizationId, endpointId, state, stateSince, stateReason],
        ...[failingSince, failures, restingUntil],
      ],
    );
  }
}

/** Returns the secret in the configuration of a credential of type `secret`. */
function secretOf(config: Secret): Secret {
  return new Secret((JSON.parse(config.reveal()) as { secret: string }).secret);
}
