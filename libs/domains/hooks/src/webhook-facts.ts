import type { GoneWebhook } from '#bus';
import { ApiError } from '#contract';
import type { IntegrationWebhooks, WebhookFacts } from '#connect';
import type { HookRequests } from './hook-requests.js';

/** The address of `/v1/hooks`, without a token. @param publicUrl where the API is reached from outside */
export function hooksAddress(publicUrl: string): string {
  return `${publicUrl.replace(/(?<!\/)\/+$/, '')}/v1/hooks`;
}

export function withToken(base: string, token: string): string {
  return `${base}?token=${token}`;
}

type Stored = Pick<GoneWebhook, 'project' | 'token' | 'secret'> & {
  accountId: string;
  providerId: string | null;
};

/** Returns the facts that calls of the provider about a webhook may use. @param base the address of `/v1/hooks` */
export function factsOf(requests: HookRequests, row: Stored, base: string): WebhookFacts {
  const open = (sealed: string) => requests.open(row.accountId, sealed).reveal();
  return {
    url: withToken(base, open(row.token)),
    secret: open(row.secret),
    project: row.project,
    id: row.providerId ?? '',
  };
}

/** Removes a webhook at the provider; it may be gone there. */
export async function unregister(
  webhooks: IntegrationWebhooks,
  facts: WebhookFacts,
): Promise<void> {
  try {
    await webhooks.run('unregister', facts);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}
