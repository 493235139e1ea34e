import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, conflict, type ManagementSchemas, type Reply } from '#contract';
import { ManagementContext } from '#management/core';
import {
  deliveryView,
  readAttempts,
  readDeliveryQuery,
  replayDeliveries,
} from '#management/organization-webhooks';
import type { Delivery, Integration, Reader, WebhookReceiver } from '#store';

type View = ManagementSchemas['Delivery'];

/** `/v1/integrations/{accountId}/{integrationId}/deliveries`: messages of the provider that were sent to webhooks of an integration, or are to be. */
@Controller()
export class IntegrationDeliveriesHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('integrations_list_deliveries')
  async list(
    call: Call<'integrations_list_deliveries'>,
  ): Promise<Reply<'integrations_list_deliveries'>> {
    const query = readDeliveryQuery(call.query);
    return await this.context.read(call, async (tx) => {
      const { id: integrationId, accountId } = await this.find(tx, call.path);
      const receivers = await tx.webhookReceivers.all({ integrationId });
      const { rows } = await tx.deliveries.list(query, {
        endpointId: receivers.map(({ id }) => id),
      });
      const attempts = await readAttempts(tx, rows);
      return {
        result: rows.map((row) => this.view(accountId, row, attempts.get(row.id) ?? [])),
        receivers: receivers.map(receiverView),
      };
    });
  }

  @Handles('integrations_replay_deliveries')
  async replay(
    call: Call<'integrations_replay_deliveries'>,
  ): Promise<Reply<'integrations_replay_deliveries'>> {
    return await this.context.write(call, async (tx) => {
      const { id: integrationId } = await this.find(tx, call.path);
      const receivers = await tx.webhookReceivers.all({ integrationId });
      const usable = receivers.filter(({ state }) => state !== 'disabled');
      const [disabled] = receivers;
      if (disabled !== undefined && usable.length === 0)
        throw conflict(
          `the webhook ${disabled.url} is disabled: ${disabled.stateReason ?? ''}`,
          'Save the integration with its webhook_config to try it again.',
        );
      return await replayDeliveries(tx, usable, {
        body: call.body,
        list: '/v1/integrations/{accountId}/{integrationId}/deliveries',
        now: this.context.now(),
      });
    });
  }

  private async find(
    tx: Reader,
    { accountId, integrationId }: { accountId: string; integrationId: string },
  ): Promise<Integration> {
    const account = await tx.accounts.get(accountId);
    return await tx.integrations.get(integrationId, { accountId: account.id });
  }

  /** A delivery with its body, which is stored encrypted. */
  private view(accountId: string, row: Delivery, attempts: View['attempts']): View {
    const payload = this.context.sealer.open(accountId, row.payload).reveal();
    const shown = deliveryView({ ...row, payload }, attempts);
    return { ...shown, receiver_id: row.endpointId };
  }
}

function receiverView(row: WebhookReceiver): ManagementSchemas['WebhookReceiver'] {
  return {
    id: row.id,
    webhook_url: row.url,
    state: row.state,
    ...(row.stateSince === null ? {} : { state_since: row.stateSince.toISOString() }),
    ...(row.stateReason === null ? {} : { state_reason: row.stateReason }),
    ...(row.failingSince === null ? {} : { failing_since: row.failingSince.toISOString() }),
  };
}
