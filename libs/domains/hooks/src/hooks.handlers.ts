import { Controller } from '@nestjs/common';
import { Bus, Handles } from '#bus';
import { Connector, type IntegrationWebhooks, type WebhookMessage } from '#connect';
import { type Call, type Caller, type Reply } from '#contract';
import { startByEvent } from '#jobs';
import { emitProviderMessage } from '#outbox';
import type { Secret } from '#secrets';
import { type Integration, integrationQueries, type Reader, type Transaction } from '#store';
import { HookRequests } from './hook-requests.js';
import { passMessageOn } from './pass-message-on.js';
import { mapTicketingMessage } from './ticketing-message.js';
import { receiversOf, webhookConfigOf } from './webhook-config.js';
import { hooksAddress, withToken } from './webhook-facts.js';

/** Messages of one integration are remembered for so long: longer than providers send one again. */
const rememberedMs = 4 * 24 * 60 * 60_000;

/** `/v1/hooks`: messages of providers on their way to the receivers of an integration. */
@Controller()
export class HooksHandlers {
  constructor(
    private readonly connector: Connector,
    private readonly requests: HookRequests,
    private readonly bus: Bus,
  ) {}

  /** Returns once the message is stored, with a delivery for each receiver that wants it, and schedules that it starts are due. */
  @Handles('hooks_proxy')
  async take(call: Call<'hooks_proxy'>): Promise<Reply<'hooks_proxy'>> {
    const webhooks = await this.connector.webhooks(call);
    const { signsAddress } = webhooks.provider;
    const url = signsAddress ? await this.addressOf(call) : '';
    const message = webhooks.message(call.headers ?? {}, call.rawBody, url);
    const { scope } = this.requests.ownerOf(call);
    const { store, clock } = this.requests;
    await store.write(scope, async (tx) => {
      const integration = await tx.integrations.get(webhooks.integration.id);
      const secrets = await this.secretsFor(tx, integration, call.caller);
      webhooks.provider.check(message, secrets, clock.now());
      await this.store(tx, integration, webhooks, message);
    });
    return undefined as Reply<'hooks_proxy'>;
  }

  @Handles('hooks_passthrough')
  async passThrough(call: Call<'hooks_passthrough'>): Promise<Reply<'hooks_passthrough'>> {
    return await passMessageOn(call, this.requests);
  }

  /** The address that the provider was told. */
  private async addressOf({ query, requestId }: Call<'hooks_proxy'>): Promise<string> {
    const { url } = await this.bus.call('hooks.public_url', {}, { requestId });
    return withToken(hooksAddress(url), query.token);
  }

  /** The secret of the webhook that the token belongs to; for another token, those of the integration. */
  private async secretsFor(
    tx: Reader,
    integration: Integration,
    { tokenId }: Caller,
  ): Promise<Secret[]> {
    const { id: integrationId, accountId } = integration;
    const all = await tx.integrationWebhooks.all({ integrationId });
    const own = all.filter((one) => one.tokenId === tokenId);
    const { provider_key: key } = webhookConfigOf(integration);
    const sealed = [
      ...(own.length > 0 ? own : all).map(({ secret }) => secret),
      ...(key ? [key.$sealed] : []),
    ];
    return sealed.map((one) => this.requests.open(accountId, one));
  }

  private async store(
    tx: Transaction,
    integration: Integration,
    webhooks: IntegrationWebhooks,
    message: WebhookMessage,
  ): Promise<void> {
    if (!(await this.isNew(tx, integration, webhooks.provider.identify(message)))) return;
    const now = this.requests.now();
    const mapped = mapTicketingMessage(webhooks, message, now);
    if (mapped === undefined) return;
    const event = mapped.message.event_type ?? undefined;
    if (event !== undefined || mapped.isUnclear) await startByEvent(tx, integration.id, event, now);
    const config = webhookConfigOf(integration);
    const urls = mapped.isUnclear
      ? (config.items ?? []).map(({ webhook_url: url }) => url)
      : receiversOf(config, event);
    if (urls.length === 0) return;
    const owner = { id: integration.accountId, domain: integration.category };
    const sealed = await this.requests.seal(tx, owner, JSON.stringify(mapped.message));
    const tools = { ids: this.requests.ids, now: () => now };
    await emitProviderMessage(tools, tx, { integration, event, sealed, urls });
  }

  /** Remembers a message. @returns false if it has come before */
  private async isNew(
    tx: Transaction,
    { id }: Integration,
    message: string | undefined,
  ): Promise<boolean> {
    if (message === undefined) return true;
    const now = this.requests.now();
    const forgottenAt = new Date(now.getTime() - rememberedMs);
    const times = { now, forgottenAt };
    return await integrationQueries.rememberMessage(tx, id, message, times);
  }
}
