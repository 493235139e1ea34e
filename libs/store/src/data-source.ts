import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import type { Metrics } from '#observe';
import { explainDatabaseError } from './database-unusable.js';
import { entitiesOfKinds } from './define-kind.js';
import './kinds.js'; // declares the kinds that several rooms use
import { adoptBaseline, loadMigrations } from './migrations.js';
import { SnakeCaseNaming } from './naming.js';
import { Organization } from './organization.js';
import { createSearchIndexes } from './search-indexes.js';

export interface DatabaseOptions {
  url: string;
  /** Maximum number of connections, 10 by default. */
  poolSize?: number;
}

/** The role is part of the connection: no statement runs before it is taken. */
const session = '-c role=onefold_application -c timezone=UTC -c statement_timeout=60000';

/**
 * Listens to the errors of a connection for all of its life: an error that nobody listens to ends the process, and who takes a connection out of
 * a pool, TypeORM and the queue among them, does not listen from its first moment to its last. The loss is not hidden, because every statement
 * on the connection fails.
 */
const onConnect = (connection: pg.ClientBase): void => {
  connection.on('error', () => undefined);
};

/** Connections as the plain role of the services, for a library that needs its own. The caller ends the pool. */
export function openPool({ url, poolSize = 10 }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: poolSize, options: session, onConnect });
  pool.on('error', () => undefined); // an idle connection was lost; the next statement opens another
  return pool;
}

/** Shows how many connections of a pool are in use, how many are idle, and how many callers wait for one. */
export function measurePool(
  metrics: Metrics,
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
): void {
  metrics.gaugeBy(
    'onefold_database_connections',
    'Connections to the database: in use, idle, and callers that wait for one (waiting).',
    ['state'],
    () => [
      [['used'], pool.totalCount - pool.idleCount],
      [['idle'], pool.idleCount],
      [['waiting'], pool.waitingCount],
    ],
  );
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
    extra: { options: session, onConnect, pipeline: true }, // a statement does not wait for the answer to the one before
  }).initialize();
}

/** The names of this version's migrations that did not run yet, oldest first. @param ran the names in the table `migrations` */
export async function pendingMigrations(ran: readonly string[]): Promise<string[]> {
  return (await loadMigrations()).map(({ name }) => name).filter((name) => !ran.includes(name));
}

/** Brings further tables to this version, as the owner. @returns the names of the migrations that ran */
export type Migrate = (url: string) => Promise<string[]>;

/**
 * Brings the database to this version's tables, as the owner.
 * @param further migrations of tables that are not the store's, such as those of the queue
 * @returns the names of the migrations that ran
 */
export async function migrate(url: string, ...further: readonly Migrate[]): Promise<string[]> {
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
    await lockMigrations(runner);
    await adoptBaseline(runner);
    const ran = (await owner.runMigrations({ transaction: 'all' })).map(({ name }) => name);
    for (const run of further) ran.push(...(await run(url)));
    await createSearchIndexes(runner);
    return ran;
  } finally {
    await runner.query('select pg_advisory_unlock(7091604)');
    await runner.release();
    await owner.destroy();
  }
}

/** Several processes may start at once. They ask again and again, because a statement that waits would hold up the creation of indexes beside writes. */
async function lockMigrations(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [row] = (await runner.query('select pg_try_advisory_lock(7091604) as locked')) as {
      locked: boolean;
    }[];
    if (row?.locked) return;
    await setTimeout(200);
  }
}
