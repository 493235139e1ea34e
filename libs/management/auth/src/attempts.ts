import { logonAttemptQueries, type Transaction } from '#store';

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
  await logonAttemptQueries.deleteExpired(tx, now);
  const until = new Date(now.getTime() + windowMs);
  const counted = await logonAttemptQueries.count(tx, name, { now, until, maxFailures });
  if (counted === undefined) throw new Error('a logon attempt was not counted');
  const { failures } = counted;
  return {
    allowed: failures <= maxFailures,
    ...(failures >= maxFailures ? { lockedUntil: counted.until } : {}),
  };
}
