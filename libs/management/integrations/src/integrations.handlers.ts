import { Controller } from '@nestjs/common';
import { Bus, Handles } from '#bus';
import { type Call, type Caller, decide, operationOf, reaches, type Reply } from '#contract';
import {
  accountView,
  checkFullname,
  checkId,
  checkName,
  fault,
  faultsBelow,
  ManagementContext,
  messagesOf,
  newRecord,
  patchRecord,
  totalView,
} from '#management/core';
import { credentialView, dropGrants } from '#management/credentials';
import { EgressPolicy } from '#egress';
import { syncSchedules } from '#jobs';
import { emitEvents, keepReceivers } from '#outbox';
import { endConnectSession, issueToken, tokenView } from '#management/tokens';
import {
  type Account,
  type Credential,
  credentialQueries,
  type Integration,
  kinds,
  listQuery,
  type Reader,
  tokenQueries,
  type Transaction,
} from '#store';
import { type MadeKeys, showMade, urlsOf } from './integrator-keys.js';
import { type CreateIntegration, findPoint, integrationContent } from './integration-content.js';
import { type IntegrationSchedules, scheduleNotes } from './integration-schedules.js';
import {
  checkCreateInSession,
  checkInSession,
  checkPatchInSession,
  checkProviderInSession,
  checkVerifyInSession,
  shownInSession,
} from './session-limits.js';
import { refuseUnknown, unknownFields } from './integration-notes.js';
import { withPointIds } from './point-filters.js';
import { storedCredentials } from './credential-slots.js';
import { expand, type IntegrationBody, integrationView } from './integration-view.js';
import { mappingsOfNew } from './point-templates.js';
import { ProviderCatalog } from './provider-catalog.js';
import { dropUnusedSecrets } from './provider-config.js';
import { removeWebhooks } from './remove-webhooks.js';
import { verifyInDryRun } from './verify-in-dry-run.js';

const tokenTtl = { text: '24h', milliseconds: 24 * 60 * 60 * 1000 };

/** `/v1/integrations`: the configured connections of accounts to providers. */
@Controller()
export class IntegrationsHandlers {
  constructor(
    readonly context: ManagementContext,
    readonly catalog: ProviderCatalog,
    readonly bus: Bus,
    readonly egress: EgressPolicy,
  ) {}

  @Handles('integrations_list')
  async list(call: Call<'integrations_list'>): Promise<Reply<'integrations_list'>> {
    return await this.page(call, call.query);
  }

  @Handles('integrations_list_account')
  async listAccount(
    call: Call<'integrations_list_account'>,
  ): Promise<Reply<'integrations_list_account'>> {
    return await this.page(call, call.query, call.path.accountId);
  }

  @Handles('integrations_get')
  async get(call: Call<'integrations_get'>): Promise<Reply<'integrations_get'>> {
    return await this.context.read(call, async (tx) => {
      const { integration } = await this.find(tx, call);
      return { result: shownInSession(call.caller, integrationView(integration)) };
    });
  }

  @Handles('integrations_create')
  async create(call: Call<'integrations_create'>): Promise<Reply<'integrations_create'>> {
    const { body, caller } = call;
    return await this.context.create(call, async (tx) => {
      const account = await tx.accounts.get(call.path.accountId);
      await endConnectSession(tx, caller);
      const built = await this.build(tx, caller, account, body);
      const { integration, created, made, schedules } = built;
      await tx.integrations.insert(integration);
      await syncSchedules(tx, integration, schedules.plans, this.context, schedules.copiedFrom);
      await this.emit(tx, 'integration_create', account, integration);
      const { token, secrets } = await issueToken(this.context, tx, {
        id: integration.refreshTokenId,
        ownerId: integration.id,
        ownerType: 'integration',
        memberId: caller.memberId,
        accountId: account.id,
        fullname: `Token of ${integration.name}`,
        tokenType: 'default',
        ttl: tokenTtl,
        endsBy: null,
      });
      const shown = mayUse(caller, account, integration) ? secrets : undefined;
      return {
        result: {
          integration: showMade(shownInSession(caller, integrationView(integration)), made),
          token: tokenView(token, shown).primary,
          ...createdView(created),
        },
        ...(await this.notes(tx, integration, built)),
      };
    });
  }

  @Handles('integrations_update')
  async update(call: Call<'integrations_update'>): Promise<Reply<'integrations_update'>> {
    return await this.context.write(call, async (tx) => {
      const { account, integration } = await this.find(tx, call, true);
      return (await this.store(tx, call.caller, account, integration, call.body)).reply;
    });
  }

  @Handles('integrations_patch')
  async patch(call: Call<'integrations_patch'>): Promise<Reply<'integrations_patch'>> {
    return await this.context.write(call, async (tx) => {
      const { account, integration } = await this.find(tx, call, true);
      checkPatchInSession(call.caller, call.body);
      await endConnectSession(tx, call.caller);
      const patched = patchRecord(integrationView(integration), call.body, {
        patch: 'integrations_patch',
        update: 'integrations_update',
        free: ['provider_config'],
      });
      checkProviderInSession(call.caller, patched);
      const { dropped, reply } = await this.store(tx, call.caller, account, integration, patched);
      refuseUnknown(call.body, dropped);
      return reply;
    });
  }

  /** Deletes the integration with its tokens, the credentials made for it and its records at a mock; its webhooks at the provider later. */
  @Handles('integrations_delete')
  async delete(call: Call<'integrations_delete'>): Promise<Reply<'integrations_delete'>> {
    await this.context.write(call, async (tx) => {
      const { account, integration } = await this.find(tx, call, true);
      await endConnectSession(tx, call.caller);
      await this.emit(tx, 'integration_delete', account, integration);
      await removeWebhooks(tx, this, integration);
      await tokenQueries.deleteOfOwner(tx, integration.id);
      await credentialQueries.deleteOfOwner(tx, integration.id);
      await tx.integrations.delete(integration);
      await dropGrants(this.context, tx, storedCredentials(integration.providerConfig));
      tx.forget(integration.id);
    });
    return undefined as Reply<'integrations_delete'>;
  }

  /** Runs the checks of a create and calls the provider, but stores nothing. */
  @Handles('integrations_verify')
  async verify(call: Call<'integrations_verify'>): Promise<Reply<'integrations_verify'>> {
    return await verifyInDryRun(this, call, async (tx) => {
      const account = await tx.accounts.get(call.path.accountId);
      return await faultsBelow(
        '/integration',
        async () => await this.build(tx, call.caller, account, call.body.integration),
      );
    });
  }

  @Handles('integrations_verify_existing')
  async verifyExisting(
    call: Call<'integrations_verify_existing'>,
  ): Promise<Reply<'integrations_verify_existing'>> {
    return await verifyInDryRun(this, call, async (tx) => {
      const { account, integration } = await this.find(tx, call, true);
      checkVerifyInSession(call.caller, call.body);
      if (call.body === undefined || call.body === null)
        return { integration, created: [], dropped: [] };
      const body = { ...integrationView(integration), ...call.body, id: integration.id };
      const { changed, ...made } = await this.store(tx, call.caller, account, integration, body);
      return { integration: changed, ...made };
    });
  }

  private async emit(
    tx: Transaction,
    event: 'integration_create' | 'integration_update' | 'integration_delete',
    account: Account,
    integration: Integration,
  ): Promise<void> {
    const { id: integrationId } = integration;
    const data = { account: accountView(account), integration: integrationView(integration) };
    await emitEvents(this.context, tx, [{ event, account, integrationId, data }]);
  }

  private async page(
    call: Call<'integrations_list'> | Call<'integrations_list_account'>,
    query: Call<'integrations_list'>['query'],
    accountIdOrName?: string,
  ) {
    return await this.context.read(call, async (tx) => {
      const wanted = await withPointIds(tx, listQuery(query, kinds.integrations.fields));
      const account =
        accountIdOrName === undefined ? undefined : await tx.accounts.get(accountIdOrName);
      const within = account ? { accountId: account.id } : {};
      const { rows, ...total } = await tx.integrations.list(wanted, within);
      const expanded = await expand(tx, rows, query.expand);
      return {
        result: rows.map((row) => integrationView(row, expanded)),
        ...totalView(total),
      };
    });
  }

  private async find(
    tx: Reader,
    { path, caller }: { path: { accountId: string; integrationId: string }; caller: Caller },
    lock = false,
  ): Promise<{ account: Account; integration: Integration }> {
    const account = await tx.accounts.get(path.accountId);
    const within = { accountId: account.id };
    const integration = lock
      ? await tx.integrations.getLocked(path.integrationId, within)
      : await tx.integrations.get(path.integrationId, within);
    checkInSession(caller, integration);
    return { account, integration };
  }

  private async build(
    tx: Transaction,
    caller: Caller,
    account: Account,
    body: CreateIntegration,
  ): Promise<{
    integration: Integration;
    created: Credential[];
    made: MadeKeys;
    schedules: IntegrationSchedules;
    dropped: string[];
  }> {
    const id = this.context.ids.next(kinds.integrations);
    const point = await findPoint(tx, body.integration_point_id);
    checkCreateInSession(caller, body, point);
    const within = { accountId: account.id };
    const record = await newRecord(this.context, tx, tx.integrations, { ...body, id }, within);
    const { name } = record;
    const { content, ...rest } = await integrationContent(
      this,
      tx,
      { caller, account, id, name },
      body,
      point,
    );
    const integration: Integration = {
      ...record,
      ...within,
      refreshTokenId: this.context.ids.next(kinds.tokens),
      recording: null,
      ...content,
      // Templates of the point are copied now; later changes of the point do not change the integration.
      additionalMappings: mappingsOfNew(
        caller,
        point,
        content.providerType,
        content.additionalMappings,
      ),
    };
    return { integration, ...rest };
  }

  private async store(
    tx: Transaction,
    caller: Caller,
    account: Account,
    integration: Integration,
    body: IntegrationBody,
  ): Promise<{
    changed: Integration;
    created: Credential[];
    dropped: string[];
    reply: Reply<'integrations_update'>;
  }> {
    checkId(body, integration, 'integration');
    const point = await findPoint(tx, body.integration_point_id);
    const name = checkName(body.name, integration.id);
    const { content, ...rest } = await integrationContent(
      this,
      tx,
      { caller, account, id: integration.id, name },
      body,
      point,
      integration,
    );
    if (content.category !== integration.category)
      throw fault(
        '/provider_config/type',
        'a provider of another domain needs another integration',
        {
          value: content.providerType,
          remediation: `Choose a provider of ${integration.category}: its tokens are for that domain.`,
        },
      );
    const changed: Integration = {
      ...integration,
      name,
      fullname: checkFullname(body.fullname),
      updatedAt: this.context.now(),
      ...content,
    };
    const { created, made, schedules } = rest;
    await tx.integrations.save(changed);
    await syncSchedules(tx, changed, schedules.plans, this.context);
    const urls = urlsOf(changed.webhookConfig);
    await keepReceivers(tx, changed.id, { urls, now: changed.updatedAt });
    await this.emit(tx, 'integration_update', account, changed);
    await dropUnusedSecrets(this.context, tx, changed, integration);
    tx.forget(integration.id);
    const result = showMade(shownInSession(caller, integrationView(changed)), made);
    const notes = await this.notes(tx, changed, rest);
    return {
      changed,
      created,
      dropped: rest.dropped,
      reply: { result, ...createdView(created), ...notes },
    };
  }

  private async notes(
    tx: Reader,
    integration: Integration,
    { schedules, dropped }: { schedules: IntegrationSchedules; dropped: readonly string[] },
  ) {
    const notes = await scheduleNotes(tx, integration, schedules.skipped);
    return messagesOf([...unknownFields(dropped), ...notes], this.context.now());
  }
}

/**
 * True if the caller may create tokens of the integration; for others, such as the page of a browser, its pair is
 * masked.
 */
function mayUse(caller: Caller, account: Account, { category }: Integration): boolean {
  const decision = decide(caller, operationOf('tokens_create_integration_token'));
  return decision.allowed && reaches(decision.accounts, account, category);
}

function createdView(created: readonly Credential[]) {
  return created.length === 0 ? {} : { credentials_created: created.map(credentialView) };
}
