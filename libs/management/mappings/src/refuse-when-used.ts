import { conflict } from '#contract';
import type { Mapping, Transaction } from '#store';

/**
 * Chains refer to a mapping by its id or by its name; one that is about to stop being found by such a reference must not be in
 * use by it. @throws ApiError 409 that names up to three of the users
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
