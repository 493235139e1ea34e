import { Secret, type Sealer } from '#secrets';
import type { Reader, Transaction } from '#store';
import type { EndpointHealth } from './endpoint-health.js';
import { StoredTargets } from './stored-targets.js';

/** Where deliveries of an address go, and how they are signed. */
export interface DeliveryTarget {
  /** The path of the record in the API, for the audit trail. */
  path: string;
  url: string;
  /** Undefined if the secret has expired or is gone. */
  secret: Secret | undefined;
  /** Returns the body of a stored payload; the payload itself when absent. */
  read?: (payload: string) => string;
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
export class OrganizationWebhookTargets extends StoredTargets implements DeliveryTargets {
  constructor(private readonly sealer: Sealer) {
    super('organization_webhooks');
  }

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
}

/** Returns the secret in the configuration of a credential of type `secret`. */
function secretOf(config: Secret): Secret {
  return new Secret((JSON.parse(config.reveal()) as { secret: string }).secret);
}
