import type { Sealer } from '#secrets';
import { endpointQueries, kinds, type Reader } from '#store';
import type { DeliveryTarget, DeliveryTargets } from './delivery-targets.js';
import { StoredTargets } from './stored-targets.js';

interface WebhookConfig {
  items?: { webhook_url: string; integrator_key?: { $sealed: string } }[];
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
    const row = await endpointQueries.findReceiver<WebhookConfig>(tx, endpointId);
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
