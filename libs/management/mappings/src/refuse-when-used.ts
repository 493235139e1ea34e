import { conflict } from '#contract';
import { integrationQueries, type Mapping, type Transaction } from '#store';

/**
 * Refuses to delete or rename a mapping while a chain refers to it by its id or name.
 * @throws ApiError 409 that names up to three of the users
 */
export async function refuseWhenUsed(
  tx: Transaction,
  mapping: Mapping,
  references: readonly string[],
  remediation: string,
): Promise<void> {
  const users = await integrationQueries.listUsersOfMapping(tx, references);
  if (users.length > 0)
    throw conflict(
      `the mapping is used by ${users.map((name) => `"${name}"`).join(', ')}`,
      remediation,
    );
}
