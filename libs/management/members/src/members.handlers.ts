import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type Caller, type Reply } from '#contract';
import { ManagementContext, RecordHandlers } from '#management/core';
import { checkHasAdministrator } from '#management/tokens';
import {
  kinds,
  logonAttemptQueries,
  type Member,
  memberQueries,
  tokenQueries,
  type Transaction,
} from '#store';
import { createMember } from './create-member.js';
import { type MemberBody, memberView } from './member-view.js';
import { changeMember } from './change-member.js';
import { checkWidth } from './member-rules.js';
import { endSessions } from './member-state.js';
import { hashNewPassword } from './passwords.js';

/** `/v1/members`: who may log on to the organization. */
@Controller()
export class MembersHandlers {
  private readonly records: RecordHandlers<Member, MemberBody>;

  constructor(private readonly context: ManagementContext) {
    this.records = new RecordHandlers(context, {
      kind: kinds.members,
      called: 'member',
      view: memberView,
      operations: { patch: 'members_patch', update: 'members_update' },
      refresh: (tx) => memberQueries.releaseLocks(tx, context.now()),
      store: (tx, member, body, caller) => this.store(tx, member, body, caller),
      remove: (tx, member, caller) => this.remove(tx, member, caller),
    });
  }

  @Handles('members_list')
  async list(call: Call<'members_list'>): Promise<Reply<'members_list'>> {
    return await this.records.list(call);
  }

  @Handles('members_get')
  async get(call: Call<'members_get'>): Promise<Reply<'members_get'>> {
    return await this.records.get(call, call.path.memberId);
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
    return await this.records.update(call, call.path.memberId);
  }

  @Handles('members_patch')
  async patch(call: Call<'members_patch'>): Promise<Reply<'members_patch'>> {
    return await this.records.patch(call, call.path.memberId);
  }

  /**
   * Deletes a member with their password, their sessions, and the tokens of the organization that act in their name.
   * The specification does not define this. Tokens of integrations belong to their integration and stay.
   */
  @Handles('members_delete')
  async delete(call: Call<'members_delete'>): Promise<Reply<'members_delete'>> {
    await this.records.delete(call, call.path.memberId);
    return undefined as Reply<'members_delete'>;
  }

  private async remove(tx: Transaction, member: Member, caller: Caller): Promise<void> {
    await checkWidth(tx, caller, member.roleBinding);
    await tokenQueries.deleteOfMember(tx, member.id);
    await logonAttemptQueries.deleteOfName(tx, member.name);
    await tx.members.delete(member);
    await checkHasAdministrator(tx, this.context.now());
  }

  private async store(
    tx: Transaction,
    member: Member,
    body: MemberBody,
    caller: Caller,
  ): Promise<MemberBody> {
    const now = this.context.now();
    const changed = await changeMember(tx, caller, member, body, now);
    await tx.members.save(changed);
    if (changed.name !== member.name || changed.state === 'enabled')
      await logonAttemptQueries.deleteOfName(tx, member.name);
    if (changed.state !== member.state && changed.state !== 'enabled')
      await endSessions(tx, member);
    await checkHasAdministrator(tx, now);
    return memberView(changed);
  }
}
