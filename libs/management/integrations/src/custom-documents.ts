import type { ResolvedIntegration } from '#bus';
import type { Reader } from '#store';

export type CustomDocument = NonNullable<ResolvedIntegration['providerDocument']>;

/**
 * Reads the organization's own provider documents by name.
 * @param provider limits the result to the document of this provider
 */
export async function customDocuments(tx: Reader, provider?: string): Promise<CustomDocument[]> {
  const rows = await tx.query<{ id: string; updated_at: Date; data: string }>(
    `select id, updated_at, data from customs
     where organization_id = $1 and ($2::text is null or $2 = any (providers)) order by name`,
    [tx.scope.organizationId, provider ?? null],
  );
  return rows.map(({ id, updated_at, data }) => ({ id, version: updated_at.toISOString(), data }));
}
