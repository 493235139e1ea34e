import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type ManagementSchemas, type Reply } from '#contract';
import { changedNames, ManagementContext, newRecord, RecordHandlers } from '#management/core';
import { insertCredential } from '#management/credentials';
import { EgressPolicy } from '#egress';
import { releaseHeld, stopWaiting } from '#outbox';
import { credentialQueries, kinds, type OrganizationWebhook, type Transaction } from '#store';
import { checkSecret, ownSecret } from './webhook-rules.js';
import { webhookView } from './webhook-view.js';
import { checkReachableUrl } from './webhook-url.js';

type View = ManagementSchemas['OrganizationWebhook'];

/** `/v1/organization/webhooks`: addresses that are sent events of an organization. */
@Controller()
export class OrganizationWebhooksHandlers {
  private readonly records: RecordHandlers<OrganizationWebhook, View>;

  constructor(
    private readonly context: ManagementContext,
    private readonly egress: EgressPolicy,
  ) {
    this.records = new RecordHandlers(context, {
      kind: kinds.organizationWebhooks,
      called: 'webhook',
      view: webhookView,
      operations: { patch: 'organizationWebhooks_patch', update: 'organizationWebhooks_update' },
      store: (tx, webhook, body) => this.store(tx, webhook, body),
      remove: (tx, webhook) => this.remove(tx, webhook),
    });
  }

  @Handles('organizationWebhooks_list')
  async list(call: Call<'organizationWebhooks_list'>): Promise<Reply<'organizationWebhooks_list'>> {
    return await this.records.list(call);
  }

  @Handles('organizationWebhooks_get')
  async get(call: Call<'organizationWebhooks_get'>): Promise<Reply<'organizationWebhooks_get'>> {
    return await this.records.get(call, call.path.webhookId);
  }

  @Handles('organizationWebhooks_create')
  async create(
    call: Call<'organizationWebhooks_create'>,
  ): Promise<Reply<'organizationWebhooks_create'>> {
    const { body } = call;
    checkSecret(body.secret);
    const url = await checkReachableUrl(this.egress, body.url, '/url');
    return await this.context.create(call, async (tx) => {
      const id = this.context.ids.next(kinds.organizationWebhooks);
      const record = await newRecord(this.context, tx, tx.organizationWebhooks, { ...body, id });
      const owner = { type: 'organization_webhook', id, accountId: null } as const;
      const config = { type: 'secret', secret: body.secret.value };
      const credential = await insertCredential(this.context, tx, owner, {
        fullname: `${record.name} secret`,
        config,
        expires: body.secret.expires,
        managed: true,
      });
      const webhook: OrganizationWebhook = {
        ...record,
        environment: body.environment ?? 'prod',
        filters: [...new Set(body.filters)],
        url,
        credentialId: credential.id,
        state: 'active',
        stateSince: null,
        stateReason: null,
        failingSince: null,
        failures: 0,
        restingUntil: null,
      };
      return { result: webhookView(await tx.organizationWebhooks.insert(webhook)) };
    });
  }

  @Handles('organizationWebhooks_update')
  async update(
    call: Call<'organizationWebhooks_update'>,
  ): Promise<Reply<'organizationWebhooks_update'>> {
    return await this.records.update(call, call.path.webhookId);
  }

  @Handles('organizationWebhooks_patch')
  async patch(
    call: Call<'organizationWebhooks_patch'>,
  ): Promise<Reply<'organizationWebhooks_patch'>> {
    return await this.records.patch(call, call.path.webhookId);
  }

  /** Deletes the webhook and its credentials. */
  @Handles('organizationWebhooks_delete')
  async delete(
    call: Call<'organizationWebhooks_delete'>,
  ): Promise<Reply<'organizationWebhooks_delete'>> {
    await this.records.delete(call, call.path.webhookId);
    return undefined as Reply<'organizationWebhooks_delete'>;
  }

  private async remove(tx: Transaction, webhook: OrganizationWebhook): Promise<void> {
    await credentialQueries.deleteOfOwner(tx, webhook.id);
    await tx.organizationWebhooks.delete(webhook);
  }

  private async store(tx: Transaction, webhook: OrganizationWebhook, body: View): Promise<View> {
    // The transaction waits for the name server, for two seconds at most: only here the patched address is known.
    const url =
      body.url === webhook.url
        ? webhook.url
        : await checkReachableUrl(this.egress, body.url, '/url');
    const changed: OrganizationWebhook = {
      ...webhook,
      ...changedNames(this.context, webhook, body),
      environment: body.environment,
      filters: [...new Set(body.filters)],
      url,
      credentialId: await ownSecret(tx, webhook, body.credential_id),
      ...(body.state && body.state !== webhook.state
        ? await this.move(tx, webhook, body.state)
        : {}),
    };
    return webhookView(await tx.organizationWebhooks.save(changed));
  }

  /** Pauses, disables or resumes a webhook, with the deliveries that wait for it. */
  private async move(
    tx: Transaction,
    { id }: OrganizationWebhook,
    state: OrganizationWebhook['state'],
  ): Promise<Partial<OrganizationWebhook>> {
    const now = this.context.now();
    if (state === 'active') await releaseHeld(tx, id, now);
    else await stopWaiting(tx, id, { status: state === 'paused' ? 'waiting' : 'failed', now });
    return {
      state,
      stateSince: now,
      stateReason: state === 'active' ? null : `${state} by a request`,
      failingSince: null,
      failures: 0,
      restingUntil: null,
    };
  }
}
