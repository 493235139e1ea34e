import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, conflict, type Reply } from '#contract';
import { ManagementContext } from '#management/core';
import { emitTest } from '#outbox';
import { deliveryView, readAttempts, readDeliveryQuery, replayDeliveries } from './deliveries.js';
import { webhookView } from './webhook-view.js';

/** `/v1/organization/webhooks/{webhookId}/deliveries`: the events that were sent to a webhook, or are to be. */
@Controller()
export class DeliveriesHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('organizationWebhooks_list_deliveries')
  async list(
    call: Call<'organizationWebhooks_list_deliveries'>,
  ): Promise<Reply<'organizationWebhooks_list_deliveries'>> {
    const query = readDeliveryQuery(call.query);
    return await this.context.read(call, async (tx) => {
      const { id: endpointId } = await tx.organizationWebhooks.get(call.path.webhookId);
      const { rows } = await tx.deliveries.list(query, { endpointId });
      const attempts = await readAttempts(tx, rows);
      return { result: rows.map((row) => deliveryView(row, attempts.get(row.id) ?? [])) };
    });
  }

  /** Sends the event `test`, whatever the webhook filters, so that a receiver can be tried before something happens. */
  @Handles('organizationWebhooks_test')
  async test(call: Call<'organizationWebhooks_test'>): Promise<Reply<'organizationWebhooks_test'>> {
    return await this.context.write(call, async (tx) => {
      const webhook = await tx.organizationWebhooks.getLocked(call.path.webhookId);
      if (webhook.state !== 'active')
        throw conflict(
          `the webhook "${webhook.name}" is ${webhook.state}: ${webhook.stateReason ?? ''}`,
          'Replace /state by "active" first.',
        );
      const id = await emitTest(this.context, tx, webhook, { webhook: webhookView(webhook) });
      return { result: deliveryView(await tx.deliveries.get(id), []) };
    });
  }

  @Handles('organizationWebhooks_replay_deliveries')
  async replay(
    call: Call<'organizationWebhooks_replay_deliveries'>,
  ): Promise<Reply<'organizationWebhooks_replay_deliveries'>> {
    return await this.context.write(call, async (tx) => {
      const webhook = await tx.organizationWebhooks.getLocked(call.path.webhookId);
      if (webhook.state === 'disabled')
        throw conflict(
          `the webhook "${webhook.name}" is disabled: ${webhook.stateReason ?? ''}`,
          'Replace /state by "active" first.',
        );
      return await replayDeliveries(tx, [webhook], {
        body: call.body,
        list: '/v1/organization/webhooks/{webhookId}/deliveries',
        now: this.context.now(),
      });
    });
  }
}
