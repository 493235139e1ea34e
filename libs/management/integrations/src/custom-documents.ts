import type { ResolvedIntegration } from '#bus';
import { customProviderQueries, type Reader } from '#store';

export type CustomDocument = NonNullable<ResolvedIntegration['providerDocument']>;

/**
 * Reads the organization's own provider documents by name.
 * @param provider limits the result to the document of this provider
 */
export async function customDocuments(tx: Reader, provider?: string): Promise<CustomDocument[]> {
  const rows = await customProviderQueries.listDocuments(tx, provider);
  return rows.map(({ id, updated_at, data }) => ({ id, version: updated_at.toISOString(), data }));
}
