import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type ManagementSchemas, type Reply } from '#contract';
import {
  changedNames,
  checkId,
  ManagementContext,
  newRecord,
  patchRecord,
  recordView,
} from '#management/core';
import { deleteCredentials, insertCredential } from '#management/credentials';
import { checkWebhookUrl } from './webhook-url.js';
import { kinds, listQuery, type OrganizationWebhook, type Transaction } from '#store';
import { checkSecret, ownSecret } from './webhook-rules.js';

type View = ManagementSchemas['OrganizationWebhook'];

/** `/v1/organization/webhooks`: where an organization is to be told of what happens in it. Nothing is delivered yet. */
@Controller()
export class OrganizationWebhooksHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('organizationWebhooks_list')
  async list(call: Call<'organizationWebhooks_list'>): Promise<Reply<'organizationWebhooks_list'>> {
    const query = listQuery(call.query, kinds.organizationWebhooks.fields);
    const { rows } = await this.context.read(call, (tx) => tx.organizationWebhooks.list(query));
    return { result: rows.map(view) };
  }

  @Handles('organizationWebhooks_get')
  async get(call: Call<'organizationWebhooks_get'>): Promise<Reply<'organizationWebhooks_get'>> {
    return await this.context.read(call, async (tx) => ({
      result: view(await tx.organizationWebhooks.get(call.path.webhookId)),
    }));
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
      return { result: view(await tx.organizationWebhooks.insert(webhook)) };
    });
  }

  @Handles('organizationWebhooks_update')
  async update(
    call: Call<'organizationWebhooks_update'>,
  ): Promise<Reply<'organizationWebhooks_update'>> {
    return await this.context.write(call, async (tx) => {
      const webhook = await tx.organizationWebhooks.getLocked(call.path.webhookId);
      return { result: await this.store(tx, webhook, call.body) };
    });
  }

  @Handles('organizationWebhooks_patch')
  async patch(
    call: Call<'organizationWebhooks_patch'>,
  ): Promise<Reply<'organizationWebhooks_patch'>> {
    return await this.context.write(call, async (tx) => {
      const webhook = await tx.organizationWebhooks.getLocked(call.path.webhookId);
      const patched = patchRecord(view(webhook), call.body, {
        patch: 'organizationWebhooks_patch',
        update: 'organizationWebhooks_update',
      });
      return { result: await this.store(tx, webhook, patched) };
    });
  }

  /** Its credentials go with it. */
  @Handles('organizationWebhooks_delete')
  async delete(
    call: Call<'organizationWebhooks_delete'>,
  ): Promise<Reply<'organizationWebhooks_delete'>> {
    await this.context.write(call, async (tx) => {
      const webhook = await tx.organizationWebhooks.getLocked(call.path.webhookId);
      await deleteCredentials(tx, webhook.id);
      await tx.organizationWebhooks.delete(webhook);
    });
    return undefined as Reply<'organizationWebhooks_delete'>;
  }

  private async store(tx: Transaction, webhook: OrganizationWebhook, body: View): Promise<View> {
    checkId(body, webhook, 'webhook');
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
