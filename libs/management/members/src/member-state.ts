import type { Member, Transaction } from '#store';

/** True for members who have to choose a password first. */
export function isPending({ state }: Pick<Member, 'state'>): boolean {
  return state === 'invited' || state === 'forgotten';
}

/** Deletes the member's sessions, except the given one. */
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

/** Locks the member until the given time, whatever the password. */
export async function lockMember(tx: Transaction, member: Member, until: Date): Promise<void> {
  if (member.state === 'disabled' || member.state === 'locked') return;
  await tx.members.save({
    ...member,
    state: 'locked',
    stateBeforeLock: member.state,
    lockedUntil: until,
  });
}

/** Restores the state of members whose lock has expired. */
export async function releaseLocks(tx: Transaction, now: Date): Promise<void> {
  await tx.query(
    `update members set state = state_before_lock, state_before_lock = null, locked_until = null
      where organization_id = $1 and locked_until <= $2`,
    [tx.scope.organizationId, now],
  );
}

/** Resets the failed logons of a name. */
export async function forgetAttempts(tx: Transaction, name: string): Promise<void> {
  await tx.query('delete from logon_attempts where organization_id = $1 and name = $2', [
    tx.scope.organizationId,
    name,
  ]);
}
