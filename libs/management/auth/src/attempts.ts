import type { Transaction } from '#store';

/** So many wrong passwords lock a name. */
const mostFailures = 5;
const windowMs = 15 * 60 * 1000;

/**
 * Counts an attempt before its password is looked at, so that attempts at one moment cannot outrun the count. Names that
 * nobody has are counted like all others: the answers must not tell which there are.
 * @returns whether the password may be looked at, and until when the name is locked if it is wrong
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
    [organizationId, name, new Date(now.getTime() + windowMs), now, mostFailures],
  );
  if (row === undefined) throw new Error('a logon attempt was not counted');
  const { failures, until } = row;
  return {
    allowed: failures <= mostFailures,
    ...(failures >= mostFailures ? { lockedUntil: until } : {}),
  };
}
