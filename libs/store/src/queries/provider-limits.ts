import type { Transaction } from '../transaction.js';

/** Finds the shares of a budget, and locks them until the transaction ends. `now` is in epoch milliseconds of the database. */
export async function lockBudget<State>(
  tx: Transaction,
  key: string,
): Promise<{ state: State | null; now: number }> {
  const [row] = await tx.query<{ state: State | null; now: number }>(
    'select state, now_ms as now from onefold_lock_budget($1)',
    [key],
  );
  if (row === undefined) throw new Error('the database returned no budget');
  return row;
}

/** Stores the shares of a budget. */
export async function saveBudget(tx: Transaction, key: string, state: object): Promise<void> {
  await tx.query('select onefold_save_budget($1, $2::jsonb)', [key, JSON.stringify(state)]);
}
