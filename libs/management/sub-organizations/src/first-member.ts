import { ApiError, badRequest, type Caller, type ManagementSchemas } from '#contract';
import { createMember } from '#management/members';
import type { ManagementContext } from '#management/core';
import type { Member, Transaction } from '#store';

/**
 * Creates the first member of a new organization, beside the owner of its token. The caller may give them any role
 * there.
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
    // The member's fields are below /member in this body.
    const faults = error.options.faults.map((one) => ({
      ...one,
      pointer: `/member${one.pointer}`,
    }));
    throw badRequest(faults, { cause: error });
  }
}
