import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Bus, measureChanges } from '#bus';
import { systemClock } from '#config';
import type { OperationId } from '#contract';
import { Attempts, createDispatcher, type EgressPolicy, type Pauses } from '#egress';
import type { Budgets } from '@onefold/mapping';
import type { Health, Metrics } from '#observe';
import {
  AccessTokens,
  type BridgeSender,
  ClientCertificates,
  connectionsPerHost,
  Governor,
  type OwnAwsKeys,
  ProviderHttp,
  ResponseMemory,
} from '#provider-http';
import type { KeySource, Sealer } from '#secrets';
import type { Store } from '#store';
import { Connector } from './connector.js';
import { CredentialRenewals } from './integrations/credential-renewals.js';
import type { Drift } from './drift/drift.js';
import { ForgetIntegrations } from './integrations/forget-integrations.js';
import { Integrations } from './integrations/integrations.js';
import { operationHandlers } from './operation-handlers.js';
import type { Providers } from './provider.js';
import { ReplayRequest } from './request-log/replay-request.js';
import type { RecordChecks } from './records/record-checks.js';
import { VerifyIntegration } from './integrations/verify-integration.js';
import { ProviderMetrics } from './usage/provider-metrics.js';
import type { Usage } from './usage/usage.js';

export interface ConnectOptions {
  store: Store;
  sealer: Sealer;
  /** Keys that all processes have, whatever their domains. */
  busKeys: KeySource;
  /** Percentages of the budgets of documents, as `id:percentage`. */
  providerBudgets: readonly string[];
  usage: Usage;
  providers: Providers;
  /** Which addresses may be called. */
  egress: EgressPolicy;
  /** The operations that are one call of a provider and nothing else. */
  operations: readonly OperationId[];
  /** Memory for responses of providers. */
  maxResponsesBytes: number;
  /** The limits of mapping runs. */
  budgets: Budgets;
  checks: RecordChecks;
  drift: Drift;
  metrics: Metrics;
  health: Health;
  /** Sends requests through bridges. */
  bridges: BridgeSender;
  /** End with the process. */
  pauses: Pauses;
  /** Absent where no roles of AWS are assumed. */
  ownAwsKeys?: OwnAwsKeys | undefined;
  /** A further name of the header with the signature of a body. */
  signatureHeader?: string | undefined;
}

/** Serves operations of the connector API, and gives domains with code of their own the runtime that calls providers. Needs BusModule. */
@Global()
@Module({})
export class ConnectModule {
  static with(options: ConnectOptions): DynamicModule {
    const {
      store,
      sealer,
      busKeys,
      providerBudgets: percentages,
      usage,
      providers,
      egress: policy,
      operations,
      budgets,
      checks,
      drift,
      metrics,
      health,
      ownAwsKeys,
      bridges,
      pauses,
      signatureHeader,
      maxResponsesBytes,
    } = options;
    const dispatcher = createDispatcher(policy, { connections: connectionsPerHost });
    const attempts = new Attempts({ clock: systemClock, pauses });
    health.describe(() => ({ paused: attempts.paused() }));
    const tokens = new AccessTokens(store, sealer, systemClock, {
      dispatcher,
      policy,
      attempts,
      ownAwsKeys,
    });
    const keys = busKeys.derive('provider budgets');
    const permits = new Governor(store, { keys, pauses, percentages });
    const certificates = new ClientCertificates(policy, connectionsPerHost);
    const providerMetrics = new ProviderMetrics(metrics);
    const memory = new ResponseMemory(maxResponsesBytes);
    const http = new ProviderHttp({
      memory,
      dispatcher,
      certificates,
      policy,
      permits,
      tokens,
      bridges,
      pauses,
      attempts,
      clock: systemClock,
      signatureHeader,
      onWait: providerMetrics.noteWait,
    });
    metrics.gauge(
      'onefold_response_bytes_held',
      'Estimated bytes of memory that responses of providers take until their calls end.',
      () => memory.heldBytes,
    );
    metrics.place('host_call', () => http.held.calls);
    metrics.place('host_file', () => http.held.files);
    metrics.place('host_call_waiting', () => http.held.waiting);
    metrics.place('provider_session', () => http.held.sessions);
    metrics.place('host_circuit', () => http.held.circuits);
    metrics.place('provider_token', () => tokens.size);
    metrics.place('provider_budget', () => permits.held.budgets);
    metrics.place('budget_waiting', () => permits.held.waiting);
    providerMetrics.watch(http);
    return {
      module: ConnectModule,
      controllers: [
        VerifyIntegration,
        ForgetIntegrations,
        ReplayRequest,
        operationHandlers(operations),
      ],
      providers: [
        Integrations,
        { provide: 'sessions', useValue: { onApplicationShutdown: () => http.sessions.end() } },
        { provide: 'budgets', useValue: { onApplicationShutdown: () => permits.end() } },
        {
          provide: Connector,
          inject: [Integrations, Bus],
          useFactory: (integrations: Integrations, bus: Bus) => {
            measureChanges(metrics, 'integrations', integrations.changes);
            return new Connector({
              integrations,
              providers,
              store,
              sealer,
              http,
              usage,
              memory,
              metrics: providerMetrics,
              budgets,
              checks,
              drift,
              clock: systemClock,
              renewals: new CredentialRenewals(bus),
            });
          },
        },
      ],
      exports: [Connector],
    };
  }
}
