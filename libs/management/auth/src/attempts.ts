import type { Transaction } from '#store';

/** Maximum number of wrong passwords before a name is locked. */
const maxFailures = 5;
const windowMs = 15 * 60 * 1000;

/**
 * Counts an attempt before the password is compared, so that concurrent attempts cannot exceed the limit. Names without
 * a member are counted like all others: responses must not reveal which names exist.
 * @returns whether the password may be compared, and until when the name is locked if it is wrong
 */
export async function countAttempt(
  tx: Transaction,
  name: string,
  now: Date,
): Promise<{ allowed: boolean; lockedUntil?: Date }> {
  const { organizationId } = tx.scope;
  await tx.query(
    `delete from logon_attempts where ctid = any(array(
       select ctid from logon_attempts where organization_id = $1 and until <= $2 limit 100 for update skip locked))`,
    [organizationId, now],
  );
  const [row] = await tx.query<{ failures: number; until: Date }>(
    `insert into logon_attempts as a (organization_id, name, failures, until) values ($1, $2, 1, $3)
       on conflict (organization_id, name) do update set
         failures = case when a.until <= $4 then 1 else a.failures + 1 end,
         -- the lock runs from the last attempt that was looked at
         until = case when a.until <= $4 or a.failures < $5 then $3 else a.until end
     returning failures, until`,
    [organizationId, name, new Date(now.getTime() + windowMs), now, maxFailures],
  );
  if (row === undefined) throw new Error('a logon attempt was not counted');
  const { failures, until } = row;
  return {
    allowed: failures <= maxFailures,
    ...(failures >= maxFailures ? { lockedUntil: until } : {}),
  };
}
