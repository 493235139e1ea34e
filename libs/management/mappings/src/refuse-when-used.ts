import { conflict } from '#contract';
import type { Mapping, Transaction } from '#store';

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
  const users = await tx.query<{ name: string }>(
    `select name from (select organization_id, name, mappings from integrations
       union all select organization_id, name, mappings from integration_points) used
     where organization_id = $1 and mappings is not null and mappings @> any($2::jsonb[]) limit 3`,
    [
      mapping.organizationId,
      references.map((reference) => JSON.stringify([{ mappings: [reference] }])),
    ],
  );
  if (users.length > 0)
    throw conflict(
      `the mapping is used by ${users.map(({ name }) => `"${name}"`).join(', ')}`,
      remediation,
    );
}
