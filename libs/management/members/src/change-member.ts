import type { Caller } from '#contract';
import { checkFullname, fault } from '#management/core';
import type { Member, Transaction } from '#store';
import {
  checkBinding,
  checkLifetimes,
  checkMemberName,
  checkTexts,
  checkWidth,
} from './member-rules.js';
import type { MemberBody } from './member-view.js';
import { passwordRules } from './passwords.js';

const maxExpiryMs = 3_650 * 24 * 60 * 60 * 1000;

/** Returns the member with the changes of a request. @throws ApiError 400 or 403 */
export async function changeMember(
  tx: Transaction,
  caller: Caller,
  member: Member,
  body: MemberBody,
  now: Date,
): Promise<Member> {
  if (body.type !== member.type)
    throw fault('/type', 'cannot change', {
      value: body.type,
      remediation: 'Create another member of that type.',
    });
  await checkWidth(tx, caller, member.roleBinding);
  const { ttl, tokenTtl } = checkLifetimes(body, member.type, '');
  const hasNewRoles = body.role_binding.join() !== member.roleBinding.join();
  const isRelocked = body.state === 'locked' && member.state === 'locked';
  return {
    ...member,
    name: checkMemberName(body.name, member.type, member.id),
    fullname: checkFullname(body.fullname),
    updatedAt: now,
    state: body.state,
    // A temporary lock stays in place; any other state ends it.
    ...(isRelocked ? {} : { lockedUntil: null, stateBeforeLock: null }),
    roleBinding: hasNewRoles
      ? await checkBinding(tx, caller, body.role_binding)
      : member.roleBinding,
    ...checkTexts(body),
    ttl: ttl.text,
    tokenTtl: tokenTtl.text,
    expires: expiry(body.expires, member.expires, '/expires', now) ?? endOf(ttl, member, now),
    pinExpires:
      expiry(body.pin_expires, member.pinExpires, '/pin_expires', now) ??
      (await pinExpiry(tx, body.state, member, now)),
  };
}

/** Returns the time that the request sets; undefined if it does not set one. */
function expiry(text: string, before: Date, pointer: string, now: Date): Date | undefined {
  const wanted = new Date(text);
  if (wanted.getTime() === before.getTime()) return undefined;
  if (wanted.getTime() > now.getTime() + maxExpiryMs)
    throw fault(pointer, 'is more than ten years away', { value: text });
  return wanted;
}

function endOf(ttl: { text: string; milliseconds: number }, member: Member, now: Date): Date {
  return ttl.text === member.ttl ? member.expires : new Date(now.getTime() + ttl.milliseconds);
}

/** Limits how long an invited member, or one with a reset password, has to choose a password. */
async function pinExpiry(
  tx: Transaction,
  state: Member['state'],
  member: Member,
  now: Date,
): Promise<Date> {
  if (state === member.state || (state !== 'invited' && state !== 'forgotten'))
    return member.pinExpires;
  const rules = passwordRules(await tx.organization());
  return new Date(now.getTime() + (state === 'invited' ? rules.inviteMs : rules.forgotMs));
}
