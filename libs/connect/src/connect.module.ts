import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Sealer } from '#secrets';
import { Store } from '#store';
import { Connector, PROVIDERS } from './connector.js';
import { Integrations } from './integrations.js';
import type { Provider } from './provider.js';
import { Usage } from './usage.js';

export interface ConnectOptions {
  store: Store;
  sealer: Sealer;
  usage: Usage;
  providers: readonly Provider[];
}

/** Gives the domains the runtime that calls providers. Needs BusModule beside it. */
@Global()
@Module({})
export class ConnectModule {
  static with({ store, sealer, usage, providers }: ConnectOptions): DynamicModule {
    return {
      module: ConnectModule,
      providers: [
        { provide: Store, useValue: store },
        { provide: Sealer, useValue: sealer },
        { provide: Usage, useValue: usage },
        { provide: PROVIDERS, useValue: providers },
        Integrations,
        Connector,
      ],
      exports: [Connector],
    };
  }
}
