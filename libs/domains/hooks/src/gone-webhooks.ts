import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { Bus, type InternalCalls, Serves } from '#bus';
import { Connector } from '#connect';
import { HookRequests } from './hook-requests.js';
import { factsOf, hooksAddress, unregister } from './webhook-facts.js';

/** Time for the calls that delete a webhook at its provider. */
const budgetMs = 50_000;

/** Deletes webhooks of deleted integrations at their providers, for the worker. */
@Controller()
export class GoneWebhooks {
  constructor(
    private readonly connector: Connector,
    private readonly requests: HookRequests,
    private readonly bus: Bus,
  ) {}

  @Serves('hooks.unregister')
  async remove({
    integration,
    webhook,
  }: InternalCalls['hooks.unregister']['input']): Promise<null> {
    const requestId = randomUUID();
    const { url } = await this.bus.call('hooks.public_url', {}, { requestId });
    const webhooks = await this.connector.webhooksOf(integration, {
      deadline: Date.now() + budgetMs,
      signal: AbortSignal.timeout(budgetMs),
    });
    const row = { ...webhook, accountId: integration.accountId };
    await unregister(webhooks, factsOf(this.requests, row, hooksAddress(url)));
    return null;
  }
}
