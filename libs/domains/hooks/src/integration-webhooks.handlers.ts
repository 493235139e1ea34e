import { randomBytes } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { Bus, Handles } from '#bus';
import { Connector, type IntegrationWebhooks, mapConcurrently, runOnce } from '#connect';
import {
  ApiError,
  badRequest,
  type Call,
  conflict,
  type ConnectorSchemas,
  notFound,
  type OperationId,
  type Reply,
} from '#contract';
import { type IntegrationWebhook, kinds } from '#store';
import { HookRequests } from './hook-requests.js';
import { issuePassthrough, passthroughMs } from './pass-message-on.js';
import { webhookConfigOf } from './webhook-config.js';
import { factsOf, hooksAddress, unregister, withToken } from './webhook-facts.js';

type View = ConnectorSchemas['IntegrationWebHook'];

const maxWebhooks = 20;
const maxProjectLength = 200;
/** Providers that are asked at the same time. */
const concurrency = 4;

/** `/v1/integration-webhooks`: webhooks at the provider of an integration, which send its messages to `/v1/hooks`. */
@Controller()
export class IntegrationWebhooksHandlers {
  constructor(
    private readonly connector: Connector,
    private readonly requests: HookRequests,
    private readonly bus: Bus,
  ) {}

  @Handles('integrationWebhooks_list_webhooks')
  async list(
    call: Call<'integrationWebhooks_list_webhooks'>,
  ): Promise<Reply<'integrationWebhooks_list_webhooks'>> {
    const webhooks = await this.connector.webhooks(call);
    const { scope, integrationId } = this.requests.ownerOf(call);
    const { rows, config } = await this.requests.store.read(scope, async (tx) => ({
      rows: await tx.integrationWebhooks.all({ integrationId }),
      config: webhookConfigOf(await tx.integrations.get(integrationId)),
    }));
    const base = await this.address(call);
    const views = await mapConcurrently(rows, concurrency, async (row) =>
      view(row, await this.inspect(webhooks, row, base)),
    );
    const [first] = rows;
    const { instructions } = webhooks.provider;
    const url = first === undefined ? base : factsOf(this.requests, first, base).url;
    const expires = new Date(this.requests.clock.now() + passthroughMs).toISOString();
    return {
      result: views,
      url,
      ...(instructions === undefined
        ? {}
        : { instructions: instructions.replaceAll('{url}', url) }),
      passthrough: (config.items ?? []).map(({ webhook_url: receiver }) => ({
        webhook_url: receiver,
        url: `${base}/passthrough/${this.passthrough(call, receiver)}`,
        expires,
      })),
    };
  }

  @Handles('integrationWebhooks_create_webhook')
  async create(
    call: Call<'integrationWebhooks_create_webhook'>,
  ): Promise<Reply<'integrationWebhooks_create_webhook'>> {
    const project = readProject(call.body.project);
    const webhooks = await this.connector.webhooks(call);
    const { sealedFor } = this.requests.ownerOf(call);
    return await runOnce(call, sealedFor, this.requests, async () => {
      await this.checkFree(call, project);
      return { result: await this.register(call, webhooks, project) };
    });
  }

  /** Deletes the webhooks of the integration, at the provider first: one that cannot be deleted there stays here. */
  @Handles('integrationWebhooks_delete_webhook')
  async delete(
    call: Call<'integrationWebhooks_delete_webhook'>,
  ): Promise<Reply<'integrationWebhooks_delete_webhook'>> {
    const webhooks = await this.connector.webhooks(call);
    const { scope, integrationId, organizationId } = this.requests.ownerOf(call);
    const { store } = this.requests;
    const rows = await store.read(scope, (tx) => tx.integrationWebhooks.all({ integrationId }));
    if (rows.length === 0) throw notFound('webhook', integrationId);
    const base = await this.address(call);
    for (const row of rows) {
      if (row.providerId !== null) await unregister(webhooks, factsOf(this.requests, row, base));
      await store.write(scope, (tx) => tx.integrationWebhooks.delete(row));
      await this.revoke(call, organizationId, row.tokenId);
    }
    return undefined as Reply<'integrationWebhooks_delete_webhook'>;
  }

  private async register(
    call: Call<OperationId>,
    webhooks: IntegrationWebhooks,
    project: string,
  ): Promise<View> {
    const { organizationId, accountId, integrationId } = this.requests.ownerOf(call);
    const { requestId } = call;
    const issued = await this.bus.call(
      'hooks.issue_token',
      { organizationId, integrationId },
      { requestId },
    );
    const base = await this.address(call);
    const ours = randomBytes(32).toString('base64url');
    const url = withToken(base, issued.secret);
    const { scope } = this.requests.ownerOf(call);
    const { store } = this.requests;
    let row: IntegrationWebhook | undefined;
    try {
      // Stored first: some providers send a message at once.
      row = await this.insert(call, { accountId, project, issued, secret: ours }, [
        ...webhooks.provider.events,
      ]);
      const made = await webhooks.run('register', { url, secret: ours, project, id: '' });
      return view(await this.finish(call, row, made), { enabled: true });
    } catch (error) {
      const gone = row;
      if (gone !== undefined) await store.write(scope, (tx) => tx.integrationWebhooks.delete(gone));
      await this.revoke(call, organizationId, issued.tokenId);
      throw error;
    }
  }

  private async insert(
    call: Call<OperationId>,
    made: {
      accountId: string;
      project: string;
      issued: { tokenId: string; secret: string };
      secret: string;
    },
    events: string[],
  ): Promise<IntegrationWebhook> {
    const { sealedFor, ...owner } = this.requests.ownerOf(call);
    const { scope, organizationId, integrationId, memberId, tokenId } = owner;
    const { accountId, project, issued, secret } = made;
    const now = this.requests.now();
    const id = this.requests.ids.next(kinds.integrationWebhooks);
    return await this.requests.store.write(scope, async (tx) => {
      await tx.integrations.get(integrationId); // it may be deleted meanwhile
      return await tx.integrationWebhooks.insert({
        id,
        organizationId,
        accountId,
        integrationId,
        project,
        events,
        name: id,
        fullname: `Onefold ${project}`,
        createdAt: now,
        updatedAt: now,
        providerId: null,
        tokenId: issued.tokenId,
        token: await this.requests.seal(tx, sealedFor, issued.secret),
        secret: await this.requests.seal(tx, sealedFor, secret),
        creator: memberId === '' ? tokenId : memberId,
      });
    });
  }

  /** Stores what the provider said of a new webhook. */
  private async finish(
    call: Call<OperationId>,
    row: IntegrationWebhook,
    made: Record<string, unknown> | undefined,
  ): Promise<IntegrationWebhook> {
    if (made === undefined) return row; // it is made by hand
    const providerId = textOf(made['id']);
    if (providerId === undefined)
      throw new ApiError(502, 'the provider did not say the id of the webhook', {});
    const secret = textOf(made['secret']);
    const { scope, sealedFor } = this.requests.ownerOf(call);
    return await this.requests.store.write(scope, async (tx) =>
      tx.integrationWebhooks.save({
        ...row,
        providerId,
        ...(secret && { secret: await this.requests.seal(tx, sealedFor, secret) }),
      }),
    );
  }

  /** @throws ApiError 400 or 409 */
  private async checkFree(call: Call<OperationId>, project: string): Promise<void> {
    const { scope, integrationId } = this.requests.ownerOf(call);
    const rows = await this.requests.store.read(scope, (tx) =>
      tx.integrationWebhooks.all({ integrationId }),
    );
    if (rows.some((row) => row.project === project))
      throw conflict(
        `the integration has a webhook for ${project}`,
        'DELETE /v1/integration-webhooks removes the webhooks of the integration.',
      );
    if (rows.length >= maxWebhooks)
      throw conflict(
        `the integration has ${maxWebhooks} webhooks, which is the maximum`,
        'DELETE /v1/integration-webhooks removes the webhooks of the integration.',
      );
  }

  /** Asks the provider whether it still sends to a webhook. */
  private async inspect(
    webhooks: IntegrationWebhooks,
    row: IntegrationWebhook,
    base: string,
  ): Promise<Inspected> {
    const { inspect, register } = webhooks.provider.calls;
    if (inspect === undefined || register === undefined) return { enabled: true };
    if (row.providerId === null) return { enabled: false, problem: 'it was not registered' };
    try {
      const found = await webhooks.run('inspect', factsOf(this.requests, row, base));
      return { enabled: found?.['enabled'] === true };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { enabled: false, problem: error.message };
    }
  }

  private passthrough(call: Call<OperationId>, url: string): string {
    const { organizationId, integrationId } = this.requests.ownerOf(call);
    return issuePassthrough(this.requests, { organizationId, integrationId, url });
  }

  private async address({ requestId }: Call<OperationId>): Promise<string> {
    const { url } = await this.bus.call('hooks.public_url', {}, { requestId });
    return hooksAddress(url);
  }

  private async revoke(
    { requestId }: Call<OperationId>,
    organizationId: string,
    tokenId: string,
  ): Promise<void> {
    await this.bus.call('hooks.revoke_token', { organizationId, tokenId }, { requestId });
  }
}

interface Inspected {
  enabled: boolean;
  /** Why the provider did not answer. */
  problem?: string;
}

/** @throws ApiError 400 */
function readProject(project: string): string {
  const text = project.trim();
  if (text.length > 0 && text.length <= maxProjectLength) return text;
  throw badRequest({
    location: 'body',
    pointer: '/project',
    message: `has ${text.length} characters`,
    remediation: `Send the id of a project, of 1 to ${maxProjectLength} characters: GET /v1/ticketing/projects lists them.`,
  });
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}

function view(row: IntegrationWebhook, { enabled, problem }: Inspected): View {
  return {
    id: row.id,
    creator: row.creator,
    enabled,
    events: row.events,
    name: row.fullname,
    value: row.providerId ?? '',
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    unmapped: { project: row.project, ...(problem === undefined ? {} : { problem }) },
  };
}
