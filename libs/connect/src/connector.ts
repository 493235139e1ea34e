import type { ResolvedIntegration, Verification } from '#bus';
import {
  ApiError,
  type OperationId,
  operations,
  type StreamReply,
  type VerificationCheck,
  type WebhookEvent,
} from '#contract';
import type { Budgets } from '@onefold/mapping';
import { type ProviderHttp, Redactor } from '#provider-http';
import type { Fields } from '#query';
import { Cursors } from '#secrets';
import type { Store } from '#store';
import type { ConnectorCall } from './connector-call.js';
import type { Drift } from './drift/drift.js';
import { runOnce } from './writes/idempotency.js';
import type { Integrations } from './integrations/integrations.js';
import { IntegrationWebhooks } from './integrations/integration-webhooks.js';
import { Lists } from './lists/lists.js';
import { mapRequest } from './map-request.js';
import { type OperationResult, mapResponse } from './map-response.js';
import { type CredentialParts, openCredential } from './integrations/open-credential.js';
import type { OperationRun } from './operation-run.js';
import { pausedResponse, readPaused } from './paused-run.js';
import { type Provider, type ProviderResult, type Providers, RecordChanged } from './provider.js';
import { IntegrationCall } from './provider-call.js';
import { resolveOperation, type RunOptions } from './resolve-operation.js';
import { RecordChecks } from './records/record-checks.js';
import type { SentRecord } from './writes/describe-losses.js';
import { CallUsage, Usage } from './usage/usage.js';
import { verifyRecords } from './integrations/verify-records.js';

/** A patch is computed again when its record has changed since it was read. */
const maxPatchAttempts = 20;

export interface ConnectorParts extends CredentialParts {
  integrations: Pick<Integrations, 'find'>;
  providers: Providers;
  store: Store;
  http: ProviderHttp;
  usage: Usage;
  /** The limits of mapping runs. */
  budgets: Budgets;
  /** Holds records against the contract; without it they are not. */
  checks?: RecordChecks;
  /** Notes what shows that vendors change their APIs. */
  drift?: Drift;
}

interface Paging {
  cursors: Cursors;
  lists: Lists;
}

/**
 * Runs an operation on the provider behind the integration of the calling token. Each step ends before the next begins: resolve, map the
 * request, call the provider, map its response with paging and meta functions.
 */
export class Connector {
  private readonly paging = new Map<string, Paging>();

  constructor(private readonly parts: ConnectorParts) {}

  run(call: ConnectorCall): Promise<OperationResult | StreamReply | undefined>;
  /** Runs another operation than the call's own. Operations that pass a file have their own path only. */
  run(call: ConnectorCall, options: RunOptions): Promise<OperationResult | undefined>;
  async run(
    call: ConnectorCall,
    options: RunOptions = {},
  ): Promise<OperationResult | StreamReply | undefined> {
    const run = await resolveOperation(call, options, this.parts);
    // A file cannot be compared with an earlier one, nor stored for a repeated request.
    if (run.isFile || call.idempotencyKey === undefined) return await this.perform(run);
    const { accountId: id, category: domain } = run.integration;
    return await runOnce(call, { id, domain }, this.parts, () => this.perform(run));
  }

  /** Returns the lists that the provider of the calling token's integration offers without further parameters in the path. */
  async offeredLists(call: ConnectorCall): Promise<OperationId[]> {
    const provider = await this.providerOf(call);
    return Object.entries(provider?.operations ?? {}).flatMap(([id, offered]) => {
      const operation = operations.get(id as OperationId);
      const isList = offered?.action === 'query' && operation?.response.kind === 'json';
      return isList && !operation.path.includes('{') ? [operation.id] : [];
    });
  }

  /** Returns what a list of the calling token's integration can be filtered by; undefined if nothing but the contract says so. */
  async listFields(call: ConnectorCall, id: OperationId): Promise<Fields | undefined> {
    const provider = await this.providerOf(call);
    return provider?.operations[id]?.fields;
  }

  /** Returns the events that webhooks of the calling token's integration report; none if its provider has no webhooks. */
  async webhookEvents(call: ConnectorCall): Promise<readonly WebhookEvent[]> {
    const provider = await this.providerOf(call);
    return provider?.webhookEvents ?? [];
  }

  /** Finds the provider of the calling token's integration. */
  private async providerOf({ caller, requestId }: ConnectorCall): Promise<Provider | undefined> {
    const { organizationId, integrationId = '' } = caller;
    const integration = await this.parts.integrations.find(
      organizationId,
      integrationId,
      requestId,
    );
    return await this.parts.providers.find(integration.providerType, integration.providerDocument);
  }

  /** Checks the filters and the limit of a list without calling the provider. @throws ApiError */
  async checkList(call: ConnectorCall, as: OperationId): Promise<void> {
    await resolveOperation(call, { as }, this.parts);
  }

  /** Returns the webhooks of the provider of the calling token's integration. @throws ApiError 501 if it has none */
  async webhooks(call: ConnectorCall): Promise<IntegrationWebhooks> {
    return await IntegrationWebhooks.of(this.parts, call);
  }

  /** Returns the webhooks of an integration that does not exist any more; calls of them count for nobody. @throws ApiError 501 if it has none */
  async webhooksOf(
    integration: ResolvedIntegration,
    call: Pick<ConnectorCall, 'deadline' | 'signal'>,
  ): Promise<IntegrationWebhooks> {
    const parts = { ...this.parts, usage: new Usage() };
    return await IntegrationWebhooks.ofResolved(parts, integration, call);
  }

  /** Cursors are read by any process of the domain, which may have the keys of no others. */
  private pagingOf({ integration: { category } }: OperationRun): Paging {
    let paging = this.paging.get(category);
    if (paging === undefined) {
      const cursors = new Cursors(this.parts.sealer.derive('cursors', category));
      this.paging.set(category, (paging = { cursors, lists: new Lists(cursors) }));
    }
    return paging;
  }

  private async perform(run: OperationRun): Promise<OperationResult | StreamReply | undefined> {
    const { usage } = run;
    try {
      const { found, sent } = await this.callProvider(run);
      const { cursors, lists } = this.pagingOf(run);
      const answer =
        'paused' in found
          ? pausedResponse(cursors, run, found.paused)
          : await mapResponse(run, found, lists, { checks: this.parts.checks, sent });
      if (run.incomplete === undefined) usage.succeeded();
      else usage.report('failing', run.incomplete);
      return answer;
    } catch (error) {
      usage.failed(error);
      throw error;
    }
  }

  private async callProvider(
    run: OperationRun,
  ): Promise<{ found: ProviderResult; sent?: SentRecord }> {
    const call = new IntegrationCall(run, this.parts);
    const paused = readPaused(this.pagingOf(run).cursors, run);
    for (let attempt = 1; ; attempt += 1) {
      const { request, ...written } = await mapRequest(run, call);
      try {
        return { found: await run.offered.run(call, Object.assign(request, paused)), ...written };
      } catch (error) {
        if (!(error instanceof RecordChanged)) throw error;
        if (attempt === maxPatchAttempts) throw changedTooOften(error);
      } finally {
        request.file?.close();
      }
    }
  }

  /**
   * Tries the configuration of an integration on its provider.
   * @returns undefined when the provider has no verification @throws ApiError that says what is missing
   */
  async verify(
    integration: ResolvedIntegration,
    deadline: number,
    signal: AbortSignal,
  ): Promise<readonly VerificationCheck[] | undefined> {
    const { http, providers, budgets } = this.parts;
    const { organizationId, accountId, id, providerType, providerDocument } = integration;
    const usage = new CallUsage(new Usage(), { organizationId, accountId, integrationId: id });
    const provider = await providers.find(providerType, providerDocument);
    return await provider?.verify?.({
      http,
      integration,
      usage,
      deadline,
      signal,
      redactor: new Redactor(),
      limits: budgets.limitsOf(id, accountId, organizationId),
      credential: (slot) => openCredential(this.parts, integration, slot),
      onResponse: () => usage.calledProvider(),
    });
  }

  /** Reads records of an integration as it is, or as it would be, and holds each against the contract. */
  async verifyRecords(
    integration: ResolvedIntegration,
    deadline: number,
    signal: AbortSignal,
  ): Promise<Verification> {
    const { providerType, providerDocument } = integration;
    const provider = await this.parts.providers.find(providerType, providerDocument);
    if (provider === undefined) return { isTried: false };
    const { drift: _, ...parts } = this.parts;
    const trial = new Connector({
      ...parts,
      integrations: { find: () => Promise.resolve(integration) },
      usage: new Usage(), // A trial counts for nobody, and its integration may have no status.
      checks: new RecordChecks({ strict: true }),
    });
    return await verifyRecords((call) => trial.run(call), integration, provider, {
      deadline,
      signal,
    });
  }
}

function changedTooOften(cause: RecordChanged): ApiError {
  // The last words of the provider, where it is the provider that compares.
  const context = cause.cause instanceof ApiError ? cause.cause.options.context : undefined;
  return new ApiError(503, 'the record is changed by too many requests at the same time', {
    remediation: 'Try again in a moment.',
    ...(context === undefined ? {} : { context }),
    cause,
  });
}
