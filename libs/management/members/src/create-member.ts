import type { Caller, ManagementSchemas } from '#contract';
import { checkFullname, type ManagementContext } from '#management/core';
import { kinds, type Member, type Transaction } from '#store';
import { checkBinding, checkLifetimes, checkMemberName, checkTexts } from './member-rules.js';
import { checkNewPassword, passwordRules, storePassword } from './passwords.js';

type Create = ManagementSchemas['CreateMemberRequest'];

/** Creates a member inside a transaction. @param hash hash of the body's secret */
export async function createMember(
  context: ManagementContext,
  tx: Transaction,
  caller: Caller,
  body: Create,
  hash: string,
): Promise<Member> {
  const id = context.ids.next(kinds.members);
  const now = context.now();
  const type = body.type ?? 'personal';
  const name = checkMemberName(body.name, type);
  const rules = passwordRules(await tx.organization());
  checkNewPassword(body.secret, '/secret', rules, name);
  const { ttl, tokenTtl } = checkLifetimes(body.options ?? {}, type, '/options');
  const { state, pinMs } = initialState(body.options?.options ?? [], rules);
  const member: Member = {
    id,
    organizationId: tx.scope.organizationId,
    name,
    fullname: checkFullname(body.fullname ?? name),
    createdAt: now,
    updatedAt: now,
    type,
    state,
    roleBinding: await checkBinding(tx, caller, body.role_binding ?? ['member']),
    ...checkTexts(body),
    ttl: ttl.text,
    tokenTtl: tokenTtl.text,
    expires: new Date(now.getTime() + ttl.milliseconds),
    pinExpires: new Date(now.getTime() + pinMs),
    lastLogon: new Date(0),
    lockedUntil: null,
    stateBeforeLock: null,
  };
  await tx.members.insert(member);
  await storePassword(tx, member, hash, now);
  return member;
}

type Option = ManagementSchemas['Options'];

/** Returns the most restrictive state of the options; `expired` is an expired password. */
function initialState(options: readonly Option[], rules: ReturnType<typeof passwordRules>) {
  const has = (one: Option) => options.includes(one);
  const order = ['disabled', 'locked', 'invited', 'forgotten'] as const;
  const state = order.find(has) ?? 'enabled';
  const defaultMs = has('invited')
    ? rules.inviteMs
    : has('forgotten')
      ? rules.forgotMs
      : rules.passwordMs;
  return { state, pinMs: has('expired') ? 0 : defaultMs };
}
