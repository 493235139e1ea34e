import { DataSource } from 'typeorm';
import { explainDatabaseError } from './database-unusable.js';
import { entities } from './entities.js';
import { Foundation1763700000000 } from './migrations/1763700000000-foundation.js';
import { Identity1763700010000 } from './migrations/1763700010000-identity.js';
import { AccountLists1763700032000 } from './migrations/1763700032000-account-lists.js';
import { UsageBounds1763700033000 } from './migrations/1763700033000-usage-bounds.js';
import { Usage1763700031000 } from './migrations/1763700031000-usage.js';
import { Sso1763700050000 } from './migrations/1763700050000-sso.js';
import { WebhooksAndBridges1763700060000 } from './migrations/1763700060000-webhooks-and-bridges.js';
import { SubOrganizations1763700061000 } from './migrations/1763700061000-sub-organizations.js';
import { Audit1763700041000 } from './migrations/1763700041000-audit.js';
import { Operations1763700062000 } from './migrations/1763700062000-operations.js';
import { ProviderRuntime1763700100000 } from './migrations/1763700100000-provider-runtime.js';
import { Upkeep1763700042000 } from './migrations/1763700042000-upkeep.js';
import { Keys1763700063000 } from './migrations/1763700063000-keys.js';
import { TokenRenewals1763700043000 } from './migrations/1763700043000-token-renewals.js';
import { ReadsTogether1763700110000 } from './migrations/1763700110000-reads-together.js';
import { TokenLifetimes1763700120000 } from './migrations/1763700120000-token-lifetimes.js';
import { SnakeCaseNaming } from './naming.js';

export interface DatabaseOptions {
  url: string;
  /** Connections at most; 10 unless told. */
  poolSize?: number;
}

const migrations = [
  Foundation1763700000000,
  Identity1763700010000,
  Usage1763700031000,
  AccountLists1763700032000,
  UsageBounds1763700033000,
  Audit1763700041000,
  Upkeep1763700042000,
  TokenRenewals1763700043000,
  Sso1763700050000,
  WebhooksAndBridges1763700060000,
  SubOrganizations1763700061000,
  Operations1763700062000,
  Keys1763700063000,
  ProviderRuntime1763700100000,
  ReadsTogether1763700110000,
  TokenLifetimes1763700120000,
];

/** A connection as the plain role of the services, to which row-level security applies. */
export async function connectDatabase({
  url,
  poolSize = 10,
}: DatabaseOptions): Promise<DataSource> {
  return await new DataSource({
    type: 'postgres',
    url,
    entities,
    namingStrategy: new SnakeCaseNaming(),
    poolSize,
    extra: {
      // The role is part of the connection: no statement runs before it is taken.
      options: '-c role=onefold_application -c timezone=UTC -c statement_timeout=60000',
    },
  }).initialize();
}

/** Brings the database to this version's tables, as the owner. @returns the names of the migrations that ran. */
export async function migrate(url: string): Promise<string[]> {
  const owner = await new DataSource({
    type: 'postgres',
    url,
    migrations,
    poolSize: 2,
  })
    .initialize()
    .catch((error: unknown) => {
      throw explainDatabaseError(url, error);
    });
  const runner = owner.createQueryRunner();
  try {
    // Several processes may start at once.
    await runner.query('select pg_advisory_lock(7091604)');
    return (await owner.runMigrations({ transaction: 'all' })).map(({ name }) => name);
  } finally {
    await runner.query('select pg_advisory_unlock(7091604)');
    await runner.release();
    await owner.destroy();
  }
}
