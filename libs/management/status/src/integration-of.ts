import type { Integration, Reader } from '#store';

/** Finds the integration of a path, by ids or names. @throws ApiError 404 */
export async function integrationOf(
  tx: Reader,
  path: { accountId: string; integrationId: string },
): Promise<Integration> {
  const account = await tx.accounts.get(path.accountId);
  return await tx.integrations.get(path.integrationId, { accountId: account.id });
}
