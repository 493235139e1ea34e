import type { ManagementContext } from '#management/shared';
import { readDuration } from '#management/shared';
import { wholeOrganization } from '#store';
import { issueToken } from './issue-token.js';
import { ttlBounds } from './token-record.js';

/** A token for somebody at the machine itself. */
export interface AdministratorToken {
  organizationId: string;
  memberId: string;
  tokenId: string;
  access: string;
  refresh: string;
}

/** Makes the root organization with an administrator and a token of his. */
export async function createOrganization(
  context: ManagementContext,
  wanted: { name: string; fullname: string; administrator: string; ttl?: string },
): Promise<AdministratorToken> {
  const organizationId = context.ids.next('organization');
  const memberId = context.ids.next('member');
  const tokenId = context.ids.next('token');
  const now = context.now();
  return await context.store.write(wholeOrganization(organizationId), async (tx) => {
    await tx.query(
      `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
       values ($1, $2, $3, 'root', $4, $5, $5)`,
      [organizationId, wanted.name, wanted.fullname, tokenId, now],
    );
    await tx.members.insert({
      id: memberId,
      organizationId,
      name: wanted.administrator,
      fullname: wanted.administrator,
      createdAt: now,
      updatedAt: now,
      type: 'service',
      state: 'enabled',
      roleBinding: ['root_administrator'],
    });
    const { secrets } = await issueToken(context, tx, {
      id: tokenId,
      ownerId: organizationId,
      ownerType: 'organization',
      memberId,
      fullname: 'First administrator token',
      tokenType: 'default',
      ttl: readDuration(wanted.ttl, '/token_ttl', ttlBounds.token),
      roleBinding: ['administrator'],
    });
    return { organizationId, memberId, tokenId, ...secrets };
  });
}

/** A further token of an organization's administrator, for who lost the first. */
export async function createAdministratorToken(
  context: ManagementContext,
  organizationId: string,
  ttl?: string,
): Promise<AdministratorToken> {
  return await context.store.write(wholeOrganization(organizationId), async (tx) => {
    const members = await tx.members.all({});
    const administrator = members.find(({ roleBinding }) =>
      roleBinding.some((role) => role.endsWith('administrator')),
    );
    if (administrator === undefined)
      throw new Error(`the organization ${organizationId} has no member who is administrator`);
    const { token, secrets } = await issueToken(context, tx, {
      ownerId: organizationId,
      ownerType: 'organization',
      memberId: administrator.id,
      fullname: 'Administrator token from the command line',
      tokenType: 'default',
      ttl: readDuration(ttl, '/token_ttl', ttlBounds.token),
      roleBinding: ['administrator'],
    });
    return { organizationId, memberId: administrator.id, tokenId: token.id, ...secrets };
  });
}
