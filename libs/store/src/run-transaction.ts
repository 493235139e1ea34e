import pg from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { Access, CommitStatement } from './transaction-observer.js';

/** The result of the work, and the statement that ends its transaction. */
export interface Done<T> {
  value: T;
  closing: CommitStatement | undefined;
}

/**
 * Runs work in one transaction of an organization, with two messages besides those of the work: the first begins the transaction
 * and sets the organization, the last contains the closing statement and the commit. Work that only reads does not wait for the first
 * one to be answered.
 * @param committing is called when the work is done
 */
export async function runTransaction<T>(
  database: DataSource,
  organizationId: string,
  access: Access,
  work: (manager: EntityManager) => Promise<Done<T>>,
  committing: () => void,
): Promise<T> {
  const runner = database.createQueryRunner();
  try {
    const client = (await runner.connect()) as pg.PoolClient;
    try {
      if (access === 'read') sendTogether(client);
      const begun = client.query(`begin; ${setOrganization(organizationId)}`);
      // A read that does not wait can at most find nothing where this fails; a write could change something.
      if (access !== 'read') await begun;
      markActive(runner, true);
      const { value, closing } = await both(begun, work(runner.manager));
      committing();
      if (access === 'read' && closing === undefined) endRead(client);
      else await commit(client, closing);
      return value;
    } catch (error) {
      await client.query('rollback').catch(() => undefined); // the connection is gone, and the transaction with it
      throw error;
    } finally {
      markActive(runner, false);
    }
  } finally {
    await runner.release();
  }
}

/**
 * Runs one statement in a transaction of an organization, with one message.
 * @param statementOf is called when a connection is free. Its values are in it
 */
export async function runStatement(
  database: DataSource,
  organizationId: string,
  statementOf: () => string,
): Promise<void> {
  const runner = database.createQueryRunner();
  try {
    const client = (await runner.connect()) as pg.PoolClient;
    // Statements of one message are one transaction, which a failure rolls back.
    await client.query(`${setOrganization(organizationId)}; ${statementOf()}`);
  } finally {
    await runner.release();
  }
}

/** Local to the transaction: the next user of the connection does not inherit it. */
function setOrganization(organizationId: string): string {
  return `set local onefold.organization_id to ${pg.escapeLiteral(organizationId)}`;
}

/** Ends a transaction that has stored nothing, without waiting for it: the next user of the connection is served behind it. */
function endRead(client: pg.PoolClient): void {
  sendTogether(client);
  client.query('commit').catch(() => undefined); // the connection is gone, and the transaction with it
}

/** Sends what is sent before the event loop goes on in one write, which costs more than the rest of a small message. */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as pg.Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Waits for both. When both fail, the first is the cause. */
async function both<T>(first: Promise<unknown>, second: Promise<T>): Promise<T> {
  first.catch(() => undefined); // thrown below, when the second has ended
  try {
    return await second;
  } finally {
    await first;
  }
}

async function commit(client: pg.PoolClient, closing: CommitStatement | undefined): Promise<void> {
  if (closing === undefined) {
    await client.query('commit');
    return;
  }
  // Several statements in one message have several results, which the types of the driver do not know.
  const [result] = (await client.query(`${closing.statement}; commit`)) as unknown as [
    pg.QueryResult<Record<string, unknown>>,
  ];
  closing.onCommit(result.rows);
}

/** Tells TypeORM of the transaction: without one it refuses locks and begins transactions of its own. */
function markActive(runner: QueryRunner, isActive: boolean): void {
  (runner as { isTransactionActive: boolean }).isTransactionActive = isActive;
}
