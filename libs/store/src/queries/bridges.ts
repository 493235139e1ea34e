import type { Transaction } from '../transaction.js';

/** Lets no other transaction change the bridge group until this one ends. */
export async function lockForShare(tx: Transaction, bridgeId: string): Promise<void> {
  await tx.query('select 1 from bridges where organization_id = $1 and id = $2 for share', [
    tx.scope.organizationId,
    bridgeId,
  ]);
}

/** Makes changes of the labels of an account's bridge groups wait for each other until the transaction ends. */
export async function lockLabels(tx: Transaction, accountId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    JSON.stringify(['bridge_users', accountId]),
  ]);
}
