import type { ConnectorSchemas } from '#contract';
import type { Integration } from '#store';

type Event = ConnectorSchemas['WebhookEvent'];

/** `webhook_config` of an integration as it is stored. */
export interface StoredWebhookConfig {
  provider_key?: { $sealed: string } | null;
  items?: { webhook_url: string; event_filter?: Event[] | null }[];
}

/** Reads `webhook_config` of an integration. */
export function webhookConfigOf({
  webhookConfig,
}: Pick<Integration, 'webhookConfig'>): StoredWebhookConfig {
  return (webhookConfig as StoredWebhookConfig | null) ?? {};
}

/** Returns the addresses that want an event. One without a filter wants every message, also those that mean no event that we know. */
export function receiversOf({ items = [] }: StoredWebhookConfig, event?: Event): string[] {
  return items
    .filter(({ event_filter: wanted }) => {
      if (!wanted || wanted.length === 0) return true;
      return event !== undefined && wanted.includes(event);
    })
    .map(({ webhook_url: url }) => url);
}
