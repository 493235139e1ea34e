import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type ManagementSchemas, type Reply } from '#contract';
import {
  changedNames,
  ManagementContext,
  messagesOf,
  newRecord,
  type Note,
  RecordHandlers,
  recordView,
} from '#management/core';
import { deleteCredentials, insertCredential } from '#management/credentials';
import { checkWebhookUrl } from './webhook-url.js';
import { kinds, type OrganizationWebhook, type Transaction } from '#store';
import { checkSecret, ownSecret } from './webhook-rules.js';

type View = ManagementSchemas['OrganizationWebhook'];

const notDelivered: Note = {
  instance: 'webhooks-not-delivered',
  message: 'the webhook is stored, but nothing is delivered',
  detail: 'This version does not deliver events of organizations.',
};

/** `/v1/organization/webhooks`: addresses for events of an organization. Nothing is delivered yet. */
@Controller()
export class OrganizationWebhooksHandlers {
  private readonly records: RecordHandlers<OrganizationWebhook, View>;

  constructor(private readonly context: ManagementContext) {
    this.records = new RecordHandlers(context, {
      kind: kinds.organizationWebhooks,
      called: 'webhook',
      view,
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
        url: checkWebhookUrl(body.url, '/url'),
        credentialId: credential.id,
      };
      return {
        result: view(await tx.organizationWebhooks.insert(webhook)),
        ...messagesOf([notDelivered], this.context.now()),
      };
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
    await deleteCredentials(tx, webhook.id);
    await tx.organizationWebhooks.delete(webhook);
  }

  private async store(tx: Transaction, webhook: OrganizationWebhook, body: View): Promise<View> {
    const changed: OrganizationWebhook = {
      ...webhook,
      ...changedNames(this.context, webhook, body),
      environment: body.environment,
      filters: [...new Set(body.filters)],
      url: checkWebhookUrl(body.url, '/url'),
      credentialId: await ownSecret(tx, webhook, body.credential_id),
    };
    return view(await tx.organizationWebhooks.save(changed));
  }
}

function view(webhook: OrganizationWebhook): View {
  return {
    ...recordView(webhook),
    environment: webhook.environment,
    filters: webhook.filters as View['filters'],
    url: webhook.url,
    credential_id: webhook.credentialId,
  };
}
