import { type DynamicModule, Global, Module } from '@nestjs/common';
import { systemClock } from '#config';
import type { OperationId } from '#contract';
import { createDispatcher, type EgressPolicy } from '#egress';
import { Budgets } from '#mapping';
import { AccessTokens, connectionsPerHost, ProviderHttp, StorePermits } from '#provider-http';
import { Sealer } from '#secrets';
import { Store } from '#store';
import { Connector, PROVIDERS } from './connector.js';
import { Integrations } from './integrations.js';
import { operationHandlers } from './operation-handlers.js';
import type { Providers } from './provider.js';
import { VerifyIntegration } from './verify-integration.js';
import { Usage } from './usage.js';

export interface ConnectOptions {
  store: Store;
  sealer: Sealer;
  usage: Usage;
  providers: Providers;
  /** Which addresses may be called. */
  egress: EgressPolicy;
  /** The operations that are one call of a provider and nothing else. */
  operations: readonly OperationId[];
  /** The limits of mapping runs. */
  budgets: Budgets;
}

/** Serves operations of the connector API, and gives domains with code of their own the runtime that calls providers. Needs BusModule. */
@Global()
@Module({})
export class ConnectModule {
  static with(options: ConnectOptions): DynamicModule {
    const { store, sealer, usage, providers, egress: policy, operations, budgets } = options;
    const dispatcher = createDispatcher(policy, { connections: connectionsPerHost });
    const tokens = new AccessTokens(store, sealer, systemClock, { dispatcher, policy });
    const permits = new StorePermits(store);
    const http = new ProviderHttp({ dispatcher, policy, permits, tokens, clock: systemClock });
    return {
      module: ConnectModule,
      controllers: [VerifyIntegration, operationHandlers(operations)],
      providers: [
        { provide: Store, useValue: store },
        { provide: Sealer, useValue: sealer },
        { provide: Usage, useValue: usage },
        { provide: PROVIDERS, useValue: providers },
        { provide: ProviderHttp, useValue: http },
        { provide: Budgets, useValue: budgets },
        Integrations,
        Connector,
      ],
      exports: [Connector],
    };
  }
}
