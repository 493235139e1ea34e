import type { Member, Transaction } from '#store';

/** True for who has to choose a password before anything else. */
export function isPending({ state }: Pick<Member, 'state'>): boolean {
  return state === 'invited' || state === 'forgotten';
}

/** Ends the member's sessions, but for one. */
export async function endSessions(
  tx: Transaction,
  { id, organizationId }: Member,
  butFor = '',
): Promise<void> {
  await tx.query(
    `delete from tokens where organization_id = $1 and member_id = $2 and token_type = 'logon' and id <> $3`,
    [organizationId, id, butFor],
  );
  await tx.notify('token.changed', {});
}

/** Keeps the member out until the time given, whatever password comes. */
export async function lockMember(tx: Transaction, member: Member, until: Date): Promise<void> {
  if (member.state === 'disabled' || member.state === 'locked') return;
  await tx.members.save({
    ...member,
    state: 'locked',
    stateBeforeLock: member.state,
    lockedUntil: until,
  });
}

/** Gives members their state back whose lock is over. */
export async function releaseLocks(tx: Transaction, now: Date): Promise<void> {
  await tx.query(
    `update members set state = state_before_lock, state_before_lock = null, locked_until = null
      where organization_id = $1 and locked_until <= $2`,
    [tx.scope.organizationId, now],
  );
}

/** Forgets the failed logons of a name. */
export async function forgetAttempts(tx: Transaction, name: string): Promise<void> {
  await tx.query('delete from logon_attempts where organization_id = $1 and name = $2', [
    tx.scope.organizationId,
    name,
  ]);
}
