import type { Reader } from '../transaction.js';

/** Lists the names of up to three points that name one of some providers: as allowed, or as what a chain or a field is for. */
export async function listNamingProviders(
  tx: Reader,
  providers: readonly string[],
): Promise<string[]> {
  const points = await tx.query<{ name: string }>(
    `select name from integration_points
     where organization_id = $1
       and (environments -> 'test' ?| $2 or environments -> 'prod' ?| $2
         or jsonb_path_query_array(mappings, '$[*].providers[*]') ?| $2
         or jsonb_path_query_array(additional_mappings, '$[*].providers[*]') ?| $2)
     order by name limit 3`,
    [tx.scope.organizationId, providers],
  );
  return points.map(({ name }) => name);
}
