import type { Transaction } from '../transaction.js';

/** Deletes some attempts whose time is over. */
export async function deleteExpired(tx: Transaction, now: Date): Promise<void> {
  await tx.query(
    `delete from logon_attempts where ctid = any(array(
       select ctid from logon_attempts where organization_id = $1 and until <= $2 limit 100 for update skip locked))`,
    [tx.scope.organizationId, now],
  );
}

/** Counts an attempt of a name. @returns how many there were, and until when they count */
export async function count(
  tx: Transaction,
  name: string,
  { now, until, maxFailures }: { now: Date; until: Date; maxFailures: number },
): Promise<{ failures: number; until: Date } | undefined> {
  const [row] = await tx.query<{ failures: number; until: Date }>(
    `insert into logon_attempts as a (organization_id, name, failures, until) values ($1, $2, 1, $3)
       on conflict (organization_id, name) do update set
         failures = case when a.until <= $4 then 1 else a.failures + 1 end,
         -- the lock runs from the last attempt that was looked at
         until = case when a.until <= $4 or a.failures < $5 then $3 else a.until end
     returning failures, until`,
    [tx.scope.organizationId, name, until, now, maxFailures],
  );
  return row;
}

/** Resets the attempts of a name. */
export async function deleteOfName(tx: Transaction, name: string): Promise<void> {
  await tx.query('delete from logon_attempts where organization_id = $1 and name = $2', [
    tx.scope.organizationId,
    name,
  ]);
}
