import type { ManagementSchemas } from '#contract';
import { isPending, memberView } from '#management/members';
import { type ManagementContext, readDuration } from '#management/core';
import { organizationView } from '#management/organization';
import { issueToken, tokenView } from '#management/tokens';
import { type Member, tokenQueries, type Transaction } from '#store';
import { logonRefused } from './logon-refused.js';

export type LogonResult = ManagementSchemas['LogonResponseResult'];

export const maxSessions = 50;

/**
 * Signs in an authenticated member and issues the token of the session. Invited members, and members with an expired
 * password, get a session that can only change the password; sign-on through an identity provider needs no password.
 * @throws ApiError 401 for a member who may not sign in
 */
export async function signIn(
  context: ManagementContext,
  tx: Transaction,
  given: Member,
  by: 'password' | 'sso',
): Promise<LogonResult> {
  const now = context.now();
  const state = stateFor(given, by);
  const code = authCode(state, given, by, now);
  if (code === 'disabled' || code === 'locked') throw logonRefused(code);
  const isLate = by === 'password' && isPending({ state }) && given.pinExpires <= now;
  if (isLate || given.expires <= now) throw logonRefused('expired');
  // The first sign-on through an identity provider accepts the invitation.
  const isAccepted = by === 'sso' && isPending({ state });
  const field = given.lockedUntil === null ? 'state' : 'stateBeforeLock';
  const member: Member = {
    ...given,
    ...(isAccepted ? { [field]: 'enabled' } : {}),
    lastLogon: now,
  };
  await tx.members.save(member);
  await tokenQueries.endOldSessions(tx, member.id, { now, maxSessions: maxSessions - 1 });
  const { token, secrets } = await issueToken(context, tx, {
    ownerId: member.organizationId,
    ownerType: 'organization',
    memberId: member.id,
    tokenType: 'logon',
    ttl: readDuration(member.tokenTtl, '/token_ttl', { default: '1h', min: '1m', max: '90d' }),
    endsBy: null,
    roleBinding: member.roleBinding,
    signedInBy: by,
  });
  return {
    auth_code: code,
    ...(code === 'success' ? {} : { auth_msg: 'change the password to continue' }),
    refresh_token_id: token.id,
    token: tokenView(token, secrets).primary,
    organization: organizationView(await tx.organization()),
    member: memberView(member),
  };
}

/**
 * A lock after wrong passwords applies to passwords only: otherwise strangers could lock members out of their identity
 * provider.
 */
function stateFor({ state, stateBeforeLock }: Member, by: 'password' | 'sso'): string {
  return by === 'sso' ? (stateBeforeLock ?? state) : state;
}

function authCode(state: string, { pinExpires }: Member, by: 'password' | 'sso', now: Date) {
  if (state === 'disabled' || state === 'locked') return state;
  if (by === 'sso') return 'success';
  if (state === 'invited') return 'invited';
  return state === 'forgotten' || pinExpires <= now ? 'expired' : 'success';
}
