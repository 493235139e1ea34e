import type { DynamicModule } from '@nestjs/common';
import type { Answered } from '#bus';
import { ConnectModule, Usage, UsageWriter } from '#connect';
import { loadValidators, servedDomains } from '#contract';
import { EgressPolicy } from '#egress';
import type { Health } from '#observe';
import { openCatalogue } from '#providers';
import type { Sealer } from '#secrets';
import { openStore } from '#store';
import { bindingsOf } from './domains.js';

export interface ConnectorOptions {
  databaseUrl: string;
  databasePool: number;
  sealer: Sealer;
  health: Health;
  /** Addresses and ranges that may be called although they are not public. */
  egressAllow: readonly string[];
  /** All of them unless told. */
  domains?: readonly string[];
}

/** The connector API of some domains, connected to the database. */
export interface OpenConnector {
  module: DynamicModule;
  /** Counts what was answered; for the bus. */
  answered: (answered: Answered) => void;
  /** The categories of integrations that it serves. */
  categories: readonly string[];
  /** Once no call is under way any more. */
  close: () => Promise<void>;
}

class ConnectorModule {}

export async function openConnector(options: ConnectorOptions): Promise<OpenConnector> {
  const {
    databaseUrl: url,
    databasePool: poolSize,
    sealer,
    health,
    domains = servedDomains,
  } = options;
  const egress = new EgressPolicy(options.egressAllow);
  const { modules, operations } = bindingsOf(domains);
  await loadValidators(); // a patched record has to be one that could have been created
  const store = await openStore({ url, poolSize });
  sealer.checkKnown(await store.keyIds());
  health.add('database of records', () => store.ping());
  const providers = openCatalogue(store);
  const usage = new Usage();
  const writer = new UsageWriter(usage, store);
  return {
    module: {
      module: ConnectorModule,
      imports: [
        ConnectModule.with({ store, sealer, usage, providers, egress, operations }),
        ...modules,
      ],
    },
    answered: usage.answered,
    categories: domains,
    close: async () => {
      await writer.stop();
      await store.close();
    },
  };
}
