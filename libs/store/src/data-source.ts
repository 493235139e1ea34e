import { DataSource } from 'typeorm';
import { explainDatabaseError } from './database-unusable.js';
import { entitiesOfKinds } from './define-kind.js';
import './kinds.js'; // declares the kinds that several rooms use
import { loadMigrations } from './migrations.js';
import { SnakeCaseNaming } from './naming.js';
import { Organization } from './organization.js';

export interface DatabaseOptions {
  url: string;
  /** Maximum number of connections, 10 by default. */
  poolSize?: number;
}

/** A connection as the plain role of the services, to which row-level security applies. */
export async function connectDatabase({
  url,
  poolSize = 10,
}: DatabaseOptions): Promise<DataSource> {
  return await new DataSource({
    type: 'postgres',
    url,
    entities: [Organization, ...entitiesOfKinds()],
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
    migrations: await loadMigrations(),
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
