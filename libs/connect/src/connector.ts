import type { ResolvedIntegration, Verification } from '#bus';
import {
  ApiError,
  isJob,
  type OperationId,
  operationOf,
  operations,
  type StreamReply,
  type VerificationCheck,
  type WebhookEvent,
} from '#contract';
import type { Budgets } from '@onefold/mapping';
import { OfflineHttp, type ProviderHttp, Redactor, type ResponseMemory } from '#provider-http';
import type { Fields } from '#query';
import { Cursors } from '#secrets';
import type { RecordedCall, RecordedRun, Store } from '#store';
import type { ConnectorCall } from './connector-call.js';
import type { Drift } from './drift/drift.js';
import { runOnce } from './writes/idempotency.js';
import type { Integrations } from './integrations/integrations.js';
import { IntegrationWebhooks } from './integrations/integration-webhooks.js';
import { type OperationResult, mapResponse } from './map-response.js';
import { type CredentialParts, openCredential } from './integrations/open-credential.js';
import type { OperationRun } from './operation-run.js';
import type { Provider, Providers } from './provider.js';
import { BodyRecording } from './request-log/body-recording.js';
import { notReplayed, RecordedAnswers } from './request-log/recorded-answers.js';
import {
  outcomeOf,
  recordedCall,
  type RecordedRequest,
  type ReplayOutcome,
} from './request-log/recorded-call.js';
import { callProvider } from './provider-call.js';
import { resolveOperation, type RunOptions } from './resolve-operation.js';
import { findChain } from './records/mapping-chain.js';
import { RecordChecks } from './records/record-checks.js';
import type { ProviderMetrics } from './usage/provider-metrics.js';
import { CallUsage, Usage } from './usage/usage.js';
import { verifyRecords } from './integrations/verify-records.js';

export interface ConnectorParts extends CredentialParts {
  integrations: Pick<Integrations, 'find'>;
  providers: Providers;
  store: Store;
  http: ProviderHttp;
  usage: Usage;
  /** Memory for what providers answer; the limits of mappings alone when absent. */
  memory?: ResponseMemory;
  /** The limits of mapping runs. */
  budgets: Budgets;
  /** Holds records against the contract; without it they are not. */
  checks?: RecordChecks;
  /** Notes what shows that vendors change their APIs. */
  drift?: Drift;
  /** Times operations by provider. */
  metrics?: ProviderMetrics;
}

/**
 * Runs an operation on the provider behind the integration of the calling token. Each step ends before the next begins: resolve, map the
 * request, call the provider, map its response with paging and meta functions.
 */
export class Connector {
  private readonly cursors = new Map<string, Cursors>();

  constructor(private readonly parts: ConnectorParts) {}

  run(call: ConnectorCall): Promise<OperationResult | StreamReply | undefined>;
  /** Runs another operation than the call's own. Operations that pass a file have their own path only. */
  run(call: ConnectorCall, options: RunOptions): Promise<OperationResult | undefined>;
  async run(
    call: ConnectorCall,
    options: RunOptions = {},
  ): Promise<OperationResult | StreamReply | undefined> {
    const run = await resolveOperation(call, options, this.parts);
    if (run.integration.recording !== undefined) this.record(run, options);
    const { accountId: id, category: domain } = run.integration;
    // A file cannot be compared with an earlier one, nor stored for a repeated request.
    const isStored = call.idempotencyKey !== undefined && !run.isFile && !run.isDryRun;
    return isStored
      ? await runOnce(call, { id, domain }, this.parts, (write) => this.perform({ ...run, write }))
      : await this.perform(run);
  }

  /** Records the bodies of a run until the recording of its integration ends. An operation that takes or returns secrets is not recorded. */
  private record(run: OperationRun, { raw = false }: RunOptions): void {
    const { call, operation, isFile, redactor, integration } = run;
    const { accountId, recording: { until = '', dataKey = '' } = {} } = integration;
    const { notes } = call;
    const { clock, sealer } = this.parts;
    const { secrets, issues } = operationOf(call.operation);
    if (notes === undefined || secrets.length > 0 || issues || Date.parse(until) <= clock.now())
      return;
    const kept = notes.recording;
    const recording =
      kept instanceof BodyRecording
        ? kept
        : new BodyRecording({ sealer, dataKey, accountId }, () => clock.now());
    recording.begin(call, operation.id, { raw, isFile, redactor });
    notes.recording = run.recording = recording;
  }

  /** Opens the bodies of a recorded call. @throws Error without the key of the account */
  openRecorded(accountId: string, sealed: string): RecordedCall {
    return JSON.parse(this.parts.sealer.open(accountId, sealed).reveal()) as RecordedCall;
  }

  /**
   * Runs a recorded call of an integration from recorded answers, at the time at which it was recorded. Nothing is sent, stored or counted.
   * @throws ApiError 409 if that needs an answer that there is not
   */
  async replay(
    recorded: RecordedRequest,
    integration: ResolvedIntegration,
    signal: AbortSignal,
    providers = this.parts.providers,
  ): Promise<ReplayOutcome> {
    const { drift: _, metrics: __, renewals: ___, ...parts } = this.parts;
    const { exchanges, omitted_exchanges: omitted } = recorded.bodies;
    const answers = new RecordedAnswers(exchanges, omitted);
    const clock = { now: () => recorded.run.at };
    const trial = new Connector({
      ...parts,
      providers,
      clock,
      http: new OfflineHttp(answers.answer, clock),
      integrations: { find: () => Promise.resolve(integration) },
      usage: new Usage(),
    });
    const call = recordedCall(recorded, integration, signal);
    const outcome = await outcomeOf(call, () => trial.performOffline(call, recorded.run, answers));
    if (answers.failure !== undefined) throw answers.failure;
    return { ...outcome, requests: answers.requests };
  }

  private async performOffline(
    call: ConnectorCall,
    { as, raw }: RecordedRun,
    answers: RecordedAnswers,
  ): Promise<OperationResult | StreamReply | undefined> {
    const run = await resolveOperation(call, { as: as as OperationId, raw }, this.parts);
    const { offered, integration } = run;
    if (offered.rehearse === undefined)
      throw (answers.failure = notReplayed(
        `${integration.providerType} is not called: its records are in Onefold`,
        'Replay a call of a provider that is called, such as another mock.',
      ));
    answers.redactor = run.redactor;
    return await this.perform({ ...run, isReplay: true, danger: undefined });
  }

  /** Returns the lists that the provider of the calling token's integration offers without further parameters in the path. */
  async offeredLists(call: ConnectorCall): Promise<OperationId[]> {
    const provider = await this.providerOf(call);
    return (Object.keys(provider?.operations ?? {}) as OperationId[]).filter((id) => {
      const operation = operations.get(id);
      if (operation?.response.kind !== 'json' || operation.path.includes('{')) return false;
      return provider?.operations[id]?.action === 'query';
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
  private cursorsOf(domain: string): Cursors {
    let cursors = this.cursors.get(domain);
    if (cursors === undefined) {
      cursors = new Cursors(this.parts.sealer.derive('cursors', domain));
      this.cursors.set(domain, cursors);
    }
    return cursors;
  }

  private async perform(run: OperationRun): Promise<OperationResult | StreamReply | undefined> {
    const { usage, integration } = run;
    run.call.provider = integration.providerType;
    const { notes } = run.call;
    if (notes)
      Object.assign(notes, {
        provider: integration.providerType,
        mappings: findChain(integration, run.operation.id),
      });
    const noted = { integration, isJob: isJob(run.call.caller) };
    const cursors = this.cursorsOf(integration.category);
    if (!run.isDryRun) await run.danger?.confirm(cursors, this.parts, run.write?.isUnsettled);
    const begun = performance.now();
    const memory = (run.memory = this.parts.memory?.open());
    try {
      const { found, sent } = await callProvider(run, cursors, this.parts);
      const answer = await mapResponse(run, found, cursors, { checks: this.parts.checks, sent });
      if (run.incomplete === undefined) usage.succeeded();
      else usage.report('failing', run.incomplete);
      this.parts.metrics?.note(noted, begun);
      return answer;
    } catch (error) {
      usage.failed(error);
      this.parts.metrics?.note(noted, begun, error);
      if (error instanceof ApiError) error.provider = run.integration.providerType;
      throw error;
    } finally {
      memory?.release();
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
