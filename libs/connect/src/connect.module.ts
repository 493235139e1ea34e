import { type DynamicModule, Global, Module } from '@nestjs/common';
import { systemClock } from '#config';
import { createDispatcher, type EgressPolicy } from '#egress';
import { Sealer } from '#secrets';
import { Store } from '#store';
import { Connector, PROVIDERS } from './connector.js';
import { AccessTokens } from './http/access-tokens.js';
import { connectionsPerHost, ProviderHttp } from './http/provider-http.js';
import { StorePermits } from './http/store-permits.js';
import { Integrations } from './integrations.js';
import type { Provider } from './provider.js';
import { VerifyIntegration } from './verify-integration.js';
import { Usage } from './usage.js';

export interface ConnectOptions {
  store: Store;
  sealer: Sealer;
  usage: Usage;
  providers: readonly Provider[];
  /** Which addresses may be called. */
  egress: EgressPolicy;
}

/** Gives the domains the runtime that calls providers. Needs BusModule beside it. */
@Global()
@Module({})
export class ConnectModule {
  static with({ store, sealer, usage, providers, egress: policy }: ConnectOptions): DynamicModule {
    const dispatcher = createDispatcher(policy, { connections: connectionsPerHost });
    const tokens = new AccessTokens(store, sealer, systemClock, { dispatcher, policy });
    const permits = new StorePermits(store);
    const http = new ProviderHttp({ dispatcher, policy, permits, tokens, clock: systemClock });
    return {
      module: ConnectModule,
      controllers: [VerifyIntegration],
      providers: [
        { provide: Store, useValue: store },
        { provide: Sealer, useValue: sealer },
        { provide: Usage, useValue: usage },
        { provide: PROVIDERS, useValue: providers },
        { provide: ProviderHttp, useValue: http },
        Integrations,
        Connector,
      ],
      exports: [Connector],
    };
  }
}
