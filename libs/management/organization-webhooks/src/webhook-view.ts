import type { ManagementSchemas } from '#contract';
import { recordView } from '#management/core';
import type { OrganizationWebhook } from '#store';

type View = ManagementSchemas['OrganizationWebhook'];

/** An organization webhook in responses. */
export function webhookView(webhook: OrganizationWebhook): View {
  return {
    ...recordView(webhook),
    environment: webhook.environment,
    filters: webhook.filters as View['filters'],
    url: webhook.url,
    credential_id: webhook.credentialId,
    state: webhook.state,
    ...(webhook.stateSince === null ? {} : { state_since: webhook.stateSince.toISOString() }),
    ...(webhook.stateReason === null ? {} : { state_reason: webhook.stateReason }),
    ...(webhook.failingSince === null ? {} : { failing_since: webhook.failingSince.toISOString() }),
  };
}
