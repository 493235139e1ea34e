import type { Reader, Transaction } from '../transaction.js';

/** Bodies of a call, as they are stored. */
interface StoredBodies {
  sealed: string;
  expires_at: Date;
}

/** Finds the bodies of a call, while they are kept. @param id that of its record */
export async function find(tx: Reader, id: string): Promise<StoredBodies | undefined> {
  const [row] = await tx.query<StoredBodies>(
    `select sealed, expires_at from request_bodies
       where organization_id = $1 and id = $2 and expires_at > now()`,
    [tx.scope.organizationId, id],
  );
  return row;
}

/** Deletes the bodies of an integration's calls. */
export async function deleteOfIntegration(tx: Transaction, integrationId: string): Promise<void> {
  await tx.query('delete from request_bodies where organization_id = $1 and integration_id = $2', [
    tx.scope.organizationId,
    integrationId,
  ]);
}
