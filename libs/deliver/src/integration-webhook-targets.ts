import type { Sealer } from '#secrets';
import { kinds, type Reader } from '#store';
import type { DeliveryTarget, DeliveryTargets } from './delivery-targets.js';
import type { EndpointHealth } from './endpoint-health.js';
import { StoredTargets } from './stored-targets.js';

interface Row extends EndpointHealth {
  url: string;
  accountId: string;
  integrationId: string;
  webhookConfig: { items?: { webhook_url: string; integrator_key?: { $sealed: string } }[] } | null;
}

/** The addresses in `webhook_config` of integrations. Each is signed with the key that its item has now. */
export class IntegrationWebhookTargets extends StoredTargets implements DeliveryTargets {
  constructor(private readonly sealer: Sealer) {
    super('webhook_receivers');
  }

  /** True for the id of such an address. */
  static owns(endpointId: string): boolean {
    return endpointId.startsWith(`${kinds.webhookReceivers.prefix}_`);
  }

  async find(tx: Reader, endpointId: string): Promise<DeliveryTarget | undefined> {
    const [row] = await tx.query<Row>(
      `select r.url, r.account_id as "accountId", r.integration_id as "integrationId", i.webhook_config as "webhookConfig",
         r.state, r.state_since as "stateSince", r.state_reason as "stateReason",
         r.failing_since as "failingSince", r.failures, r.resting_until as "restingUntil"
       from webhook_receivers r join integrations i on i.id = r.integration_id
       where r.organization_id = $1 and r.id = $2`,
      [tx.scope.organizationId, endpointId],
    );
    if (row === undefined) return undefined;
    const { accountId, integrationId, url } = row;
    const item = row.webhookConfig?.items?.find(({ webhook_url: one }) => one === url);
    const open = (sealed: string) => this.sealer.open(accountId, sealed);
    return {
      path: `/v1/integrations/${accountId}/${integrationId}`,
      url,
      secret: item?.integrator_key === undefined ? undefined : open(item.integrator_key.$sealed),
      read: (payload) => open(payload).reveal(),
      health: row,
    };
  }
}
