import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type Caller, type Reply } from '#contract';
import { checkId, ManagementContext, patchRecord } from '#management/core';
import { checkHasAdministrator } from '#management/tokens';
import { kinds, listQuery, type Member, type Transaction } from '#store';
import { createMember } from './create-member.js';
import { type MemberBody, memberView } from './member-view.js';
import { changeMember } from './change-member.js';
import { checkWidth } from './member-rules.js';
import { endSessions, forgetAttempts, releaseLocks } from './member-state.js';
import { hashNewPassword } from './passwords.js';

/** `/v1/members`: who may log on to the organization. */
@Controller()
export class MembersHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('members_list')
  async list(call: Call<'members_list'>): Promise<Reply<'members_list'>> {
    const query = listQuery(call.query, kinds.members.fields);
    return await this.context.write(call, async (tx) => {
      await releaseLocks(tx, this.context.now());
      const { rows } = await tx.members.list(query);
      return { result: rows.map(memberView) };
    });
  }

  @Handles('members_get')
  async get(call: Call<'members_get'>): Promise<Reply<'members_get'>> {
    return await this.context.write(call, async (tx) => {
      await releaseLocks(tx, this.context.now());
      return { result: memberView(await tx.members.get(call.path.memberId)) };
    });
  }

  @Handles('members_create')
  async create(call: Call<'members_create'>): Promise<Reply<'members_create'>> {
    const hash = await hashNewPassword(call.body.secret, '/secret');
    return await this.context.create(call, async (tx) => {
      const member = await createMember(this.context, tx, call.caller, call.body, hash);
      return { result: { member: memberView(member) } };
    });
  }

  @Handles('members_update')
  async update(call: Call<'members_update'>): Promise<Reply<'members_update'>> {
    return await this.change(call, () => call.body);
  }

  @Handles('members_patch')
  async patch(call: Call<'members_patch'>): Promise<Reply<'members_patch'>> {
    return await this.change(call, (member) =>
      patchRecord(memberView(member), call.body, {
        patch: 'members_patch',
        update: 'members_update',
      }),
    );
  }

  /**
   * Deletes a member with their password, their sessions, and the tokens of the organization that act in their name.
   * The specification does not define this. Tokens of integrations belong to their integration and stay.
   */
  @Handles('members_delete')
  async delete(call: Call<'members_delete'>): Promise<Reply<'members_delete'>> {
    await this.context.write(call, async (tx) => {
      const member = await tx.members.getLocked(call.path.memberId);
      await checkWidth(tx, call.caller, member.roleBinding);
      await tx.query(
        `delete from tokens where organization_id = $1 and member_id = $2 and owner_type = 'organization'`,
        [member.organizationId, member.id],
      );
      await forgetAttempts(tx, member.name);
      await tx.members.delete(member);
      await checkHasAdministrator(tx, this.context.now());
      await tx.notify('token.changed', {});
    });
    return undefined as Reply<'members_delete'>;
  }

  private async change(
    call: {
      caller: Caller;
      operation: 'members_update' | 'members_patch';
      path: { memberId: string };
    },
    wanted: (member: Member) => MemberBody,
  ): Promise<{ result: MemberBody }> {
    return await this.context.write(call, async (tx) => {
      await releaseLocks(tx, this.context.now());
      const member = await tx.members.getLocked(call.path.memberId);
      return { result: await this.store(tx, call.caller, member, wanted(member)) };
    });
  }

  private async store(
    tx: Transaction,
    caller: Caller,
    member: Member,
    body: MemberBody,
  ): Promise<MemberBody> {
    checkId(body, member, 'member');
    const now = this.context.now();
    const changed = await changeMember(tx, caller, member, body, now);
    await tx.members.save(changed);
    if (changed.name !== member.name || changed.state === 'enabled')
      await forgetAttempts(tx, member.name);
    if (changed.state !== member.state && changed.state !== 'enabled')
      await endSessions(tx, member);
    await checkHasAdministrator(tx, now);
    await tx.notify('token.changed', {});
    return memberView(changed);
  }
}
