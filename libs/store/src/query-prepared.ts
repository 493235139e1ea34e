import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type EntityManager, QueryFailedError } from 'typeorm';

/** Statements that a connection keeps prepared. Their number is bounded because some grow with the limits of a caller. */
const maxPrepared = 200;
const names = new Map<string, string>();

/**
 * Runs a statement that is sent often: PostgreSQL parses and plans it once for each connection, and the layers of TypeORM around a
 * query, which take as long as the driver, are left out.
 * @throws QueryFailedError
 */
export async function queryPrepared(
  manager: EntityManager,
  text: string,
  values: unknown[],
): Promise<Record<string, unknown>[]> {
  const client = (await manager.queryRunner?.connect()) as pg.PoolClient;
  const name = nameOf(text);
  try {
    const { rows } = await client.query<Record<string, unknown>>(
      name === undefined ? { text, values } : { name, text, values },
    );
    return rows;
  } catch (error) {
    throw new QueryFailedError(text, values, error as Error);
  }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxPrepared) return known;
  const name = `onefold_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  names.set(text, name);
  return name;
}
