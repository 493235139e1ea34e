import { type Member, tokenQueries, type Transaction } from '#store';

/** True for members who have to choose a password first. */
export function isPending({ state }: Pick<Member, 'state'>): boolean {
  return state === 'invited' || state === 'forgotten';
}

/** Deletes the member's sessions, except the given one. */
export async function endSessions(tx: Transaction, { id }: Member, butFor = ''): Promise<void> {
  await tokenQueries.endSessions(tx, id, butFor);
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
