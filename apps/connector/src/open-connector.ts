import type { DynamicModule } from '@nestjs/common';
import { ConnectModule } from '#connect';
import { loadValidators } from '#contract';
import type { Health } from '#observe';
import type { Sealer } from '#secrets';
import { openStore } from '#store';
import { domainNames, modulesOf, providers } from './domains.js';

export interface ConnectorOptions {
  databaseUrl: string;
  databasePool: number;
  sealer: Sealer;
  health: Health;
  /** All of them unless told. */
  domains?: readonly string[];
}

/** The connector API of some domains, connected to the database. */
export interface OpenConnector {
  module: DynamicModule;
  close: () => Promise<void>;
}

class ConnectorModule {}

export async function openConnector(options: ConnectorOptions): Promise<OpenConnector> {
  const {
    databaseUrl: url,
    databasePool: poolSize,
    sealer,
    health,
    domains = domainNames,
  } = options;
  await loadValidators(); // a patched record has to be one that could have been created
  const store = await openStore({ url, poolSize });
  health.add('database of records', () => store.ping());
  return {
    module: {
      module: ConnectorModule,
      imports: [ConnectModule.with({ store, sealer, providers }), ...modulesOf(domains)],
    },
    close: () => store.close(),
  };
}
