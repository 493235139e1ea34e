import { randomBytes } from 'node:crypto';
import { insertEntries } from '#management/audit';
import type { ManagementContext } from '#management/core';
import { logonAttemptQueries, wholeOrganization } from '#store';
import { endSessions } from './member-state.js';
import { hashNewPassword, passwordRules, storePassword } from './passwords.js';

/** Length of the generated password: the longest minimum that an organization may set, from 54 random bytes. */
const bytes = 54;

/**
 * Gives a member a new password, valid for the time that the organization allows and to be changed at the next logon. A
 * disabled member stays disabled.
 * @throws ApiError 404
 */
export async function resetPassword(
  context: ManagementContext,
  organizationId: string,
  idOrName: string,
): Promise<{ name: string; password: string; until: Date }> {
  const password = randomBytes(bytes).toString('base64url');
  const hash = await hashNewPassword(password, '');
  return await context.store.write(wholeOrganization(organizationId), async (tx) => {
    const member = await tx.members.getLocked(idOrName);
    const now = context.now();
    const until = new Date(now.getTime() + passwordRules(await tx.organization()).forgotMs);
    await storePassword(tx, member, hash, now);
    await logonAttemptQueries.deleteOfName(tx, member.name);
    await tx.members.save({
      ...member,
      state: member.state === 'disabled' ? 'disabled' : 'forgotten',
      stateBeforeLock: null,
      lockedUntil: null,
      pinExpires: until,
      updatedAt: now,
    });
    await endSessions(tx, member);
    // Not part of a call of the API, which would be recorded.
    await insertEntries(tx, [
      {
        request_id: '',
        remote_addr: '',
        user_agent: 'command line',
        method: 'POST',
        path: `/v1/members/${member.id}`,
        audit_type: 'ALARM',
        code: 'password_reset',
        status: 'succeeded',
        member_id: member.id,
      },
    ]);
    return { name: member.name, password, until };
  });
}
