import type { Reader, Transaction } from '../transaction.js';

/** Makes changes of documents of the organization wait for each other until the transaction ends. */
export async function lockAll(tx: Transaction): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `customs ${tx.scope.organizationId}`,
  ]);
}

/** Finds a document that has one of these providers. */
export async function findWithProvider(
  tx: Reader,
  providers: readonly string[],
): Promise<{ name: string; providers: string[] } | undefined> {
  const [other] = await tx.query<{ name: string; providers: string[] }>(
    'select name, providers from customs where organization_id = $1 and providers && $2',
    [tx.scope.organizationId, providers],
  );
  return other;
}

/** Lists the ids of all providers of the organization's documents. */
export async function listProviders(tx: Reader): Promise<string[]> {
  const rows = await tx.query<{ providers: string[] }>(
    'select providers from customs where organization_id = $1',
    [tx.scope.organizationId],
  );
  return rows.flatMap(({ providers }) => providers);
}

/** Lists the organization's documents by name. @param provider limits the list to the document of this provider */
export async function listDocuments(
  tx: Reader,
  provider?: string,
): Promise<{ id: string; updated_at: Date; data: string }[]> {
  return await tx.query<{ id: string; updated_at: Date; data: string }>(
    `select id, updated_at, data from customs
     where organization_id = $1 and ($2::text is null or $2 = any (providers)) order by name`,
    [tx.scope.organizationId, provider ?? null],
  );
}
