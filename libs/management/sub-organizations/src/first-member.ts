import { ApiError, badRequest, type Caller, type ManagementSchemas } from '#contract';
import { createMember } from '#management/members';
import type { ManagementContext } from '#management/core';
import type { Member, Transaction } from '#store';

/**
 * The member a new organization is founded with, beside the one its token belongs to. Who founds an organization may give it any
 * role there.
 */
export async function firstMember(
  context: ManagementContext,
  inside: Transaction,
  founder: Caller,
  body: ManagementSchemas['CreateMemberRequest'],
  hash: string,
): Promise<Member> {
  const caller: Caller = {
    ...founder,
    organizationId: inside.scope.organizationId,
    permissions: [{ permissionSet: 'administrator' }],
  };
  try {
    return await createMember(context, inside, caller, body, hash);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.options.faults) throw error;
    // The member's fields stand below /member here.
    const faults = error.options.faults.map((one) => ({
      ...one,
      pointer: `/member${one.pointer}`,
    }));
    throw badRequest(faults, { cause: error });
  }
}
