import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { ApiError, type Call, conflict, notFound, type Reply } from '#contract';
import {
  checkHistory,
  checkNewPassword,
  currentHash,
  endSessions,
  hashNewPassword,
  isPending,
  lockMember,
  passwordRules,
  rememberedHashes,
  storePassword,
  verifyWithLimit,
} from '#management/members';
import { fault, ManagementContext } from '#management/core';
import { organizationState } from '#management/organization';
import {
  logonAttemptQueries,
  type Member,
  memberQueries,
  type Transaction,
  wholeOrganization,
} from '#store';
import { countAttempt } from './attempts.js';
import { logonRefused } from './logon-refused.js';
import { signIn } from './sign-in.js';

const maxNameLength = 254;

/** Result of comparing a password. */
type Checked = { code: 'failure' | 'locked' } | { code: 'success'; member: Member; hash: string };

/** `/v1/auth`: sessions of members. */
@Controller()
export class AuthHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('auth_logon')
  async logon(call: Call<'auth_logon'>): Promise<Reply<'auth_logon'>> {
    const name = call.body.name.toLowerCase();
    const organizationId = await this.context.store.organizationOf(call.path.organizationId);
    if (organizationId === undefined || name.length > maxNameLength) {
      await verifyWithLimit(undefined, call.body.secret);
      throw logonRefused('failure');
    }
    const checked = await this.check(organizationId, name, call.body.secret);
    if (checked.code !== 'success') throw logonRefused(checked.code);
    return await this.context.store.write(wholeOrganization(organizationId), async (tx) => {
      const member = await lockUnchanged(tx, checked);
      if (member === undefined) throw logonRefused('failure');
      if (organizationState(await tx.organization(), this.context.clock.now()) === 'disabled')
        throw new ApiError(402, 'the organization is disabled', {
          remediation: 'Ask the operator of the service to enable it.',
        });
      return { result: await signIn(this.context, tx, member, 'password') };
    });
  }

  @Handles('auth_logoff')
  async logoff(call: Call<'auth_logoff'>): Promise<Reply<'auth_logoff'>> {
    const { caller, query } = call;
    await this.context.write(call, async (tx) => {
      const token = await tx.tokens.get(caller.tokenId);
      if (token.tokenType !== 'logon')
        throw new ApiError(409, 'the token is not that of a session', {
          remediation: `Only a logon is ended by logoff; DELETE /v1/tokens/${token.id} revokes this token.`,
        });
      if (query.everywhere === true) await endSessions(tx, await tx.members.get(caller.memberId));
      else await tx.tokens.delete(token);
    });
    return undefined as Reply<'auth_logoff'>;
  }

  /** Changes the password and ends all other sessions of the member. */
  @Handles('auth_change_password')
  async changePassword(call: Call<'auth_change_password'>): Promise<Reply<'auth_change_password'>> {
    const { caller, body } = call;
    const whole = this.context.scope(call);
    const { rules, self, known } = await this.context.store.read(whole, async (tx) => {
      const member = await tx.members.find(caller.memberId);
      if (member === undefined) throw notFound('member', caller.memberId);
      return {
        rules: passwordRules(await tx.organization()),
        self: member,
        known: await rememberedHashes(tx, member),
      };
    });
    checkNewPassword(body.new_secret, '/new_secret', rules, self.name);
    const checked = await this.check(caller.organizationId, self.name, body.old_secret);
    if (checked.code !== 'success') throw passwordError(checked.code);
    await checkHistory(known, body.new_secret, '/new_secret');
    const newHash = await hashNewPassword(body.new_secret, '/new_secret');
    await this.context.store.write(whole, async (tx) => {
      const member = await lockUnchanged(tx, checked);
      if (member === undefined)
        throw conflict('the password was changed at the same moment', 'Log on with the new one.');
      const now = this.context.now();
      await storePassword(tx, member, newHash, now);
      await tx.members.save({
        ...member,
        state: isPending(member) ? 'enabled' : member.state,
        pinExpires: new Date(now.getTime() + rules.passwordMs),
        updatedAt: now,
      });
      await endSessions(tx, member, caller.tokenId);
    });
    return { result: { auth_code: 'success' } };
  }

  /** Compares a password between two transactions and not within one, because comparing takes long. */
  private async check(organizationId: string, name: string, password: string): Promise<Checked> {
    const whole = wholeOrganization(organizationId);
    const now = this.context.now();
    const { allowed, lockedUntil, member, hash } = await this.context.store.aside(
      whole,
      async (tx) => {
        await memberQueries.releaseLocks(tx, now);
        const [found] = await tx.members.all({ name });
        return {
          ...(await countAttempt(tx, name, now)),
          member: found,
          hash: found && (await currentHash(tx, found)),
        };
      },
    );
    const who = { organizationId, memberId: member?.id };
    if (!allowed) {
      this.context.recordEvent('logon_failed', { ...who, message: 'the name is locked' });
      return { code: 'locked' };
    }
    if ((await verifyWithLimit(hash, password)) && member && hash !== undefined) {
      await this.context.store.aside(whole, (tx) => logonAttemptQueries.deleteOfName(tx, name));
      return { code: 'success', member, hash };
    }
    this.context.recordEvent('logon_failed', { ...who, message: 'wrong name or password' });
    if (lockedUntil === undefined) return { code: 'failure' };
    if (member)
      await this.context.store.aside(whole, async (tx) =>
        lockMember(tx, await tx.members.getLocked(member.id), lockedUntil),
      );
    this.context.recordEvent('member_locked', {
      ...who,
      data: { until: lockedUntil.toISOString() },
    });
    return { code: 'locked' };
  }
}

/** Locks and returns the member, unless the password that was compared has been changed since. */
async function lockUnchanged(
  tx: Transaction,
  { member: { id }, hash }: { member: Member; hash: string },
): Promise<Member | undefined> {
  const member = await tx.members.getLocked(id);
  return (await currentHash(tx, member)) === hash ? member : undefined;
}

function passwordError(code: 'failure' | 'locked'): ApiError {
  return fault(
    '/old_secret',
    code === 'failure'
      ? 'is not the password of the member'
      : 'was wrong too often: the member is locked',
    {
      remediation: code === 'failure' ? 'Send the current password.' : 'Wait a quarter of an hour.',
    },
  );
}
