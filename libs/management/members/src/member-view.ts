import type { ManagementSchemas } from '#contract';
import { recordView } from '#management/core';
import type { Member } from '#store';

export type MemberBody = ManagementSchemas['Member'];

/** A member in responses. */
export function memberView(member: Member): MemberBody {
  return {
    ...recordView(member),
    state: member.state as MemberBody['state'],
    type: member.type,
    role_binding: member.roleBinding,
    ...(member.nickname === null ? {} : { nickname: member.nickname }),
    ...(member.picture === null ? {} : { picture: member.picture }),
    ttl: member.ttl,
    token_ttl: member.tokenTtl,
    expires: member.expires.toISOString(),
    pin_expires: member.pinExpires.toISOString(),
    last_logon: member.lastLogon.toISOString(),
  };
}
