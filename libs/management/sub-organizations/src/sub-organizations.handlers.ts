import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, forbidden, type ManagementSchemas, notFound, type Reply } from '#contract';
import { chooseNames, ManagementContext } from '#management/core';
import { ProviderCatalog, removeWebhooksOfSubOrganization } from '#management/integrations';
import { endGrantsOfSubOrganization } from '#outbox';
import { organizationContact, organizationView } from '#management/organization';
import { endOfMaker, foundOrganization, tokenView } from '#management/tokens';
import { hashNewPassword, memberView } from '#management/members';
import { Organization, organizationIds, organizationQueries, type Reader } from '#store';
import { firstMember } from './first-member.js';

/** `/v1/suborgs`: organizations of an organization's own customers, whose records it cannot access. */
@Controller()
export class SubOrganizationsHandlers {
  constructor(
    readonly context: ManagementContext,
    readonly catalog: ProviderCatalog,
  ) {}

  @Handles('subOrgs_list')
  async list(call: Call<'subOrgs_list'>): Promise<Reply<'subOrgs_list'>> {
    return await this.context.read(call, async (tx) => {
      const found = await organizationQueries.listChildren(tx);
      return { result: found.map(organizationView) };
    });
  }

  @Handles('subOrgs_get')
  async get(call: Call<'subOrgs_get'>): Promise<Reply<'subOrgs_get'>> {
    return await this.context.read(call, async (tx) => ({
      result: organizationView(await find(tx, call.path.organizationId)),
    }));
  }

  @Handles('subOrgs_create')
  async create(call: Call<'subOrgs_create'>): Promise<Reply<'subOrgs_create'>> {
    const body: ManagementSchemas['CreateOrganizationRequest'] = call.body ?? {};
    const hash = body.member
      ? await hashNewPassword(body.member.secret, '/member/secret')
      : undefined;
    return await this.context.create(call, async (tx) => {
      const parent = await tx.organization();
      if (parent.organizationType !== 'root')
        throw forbidden(
          'a sub organization cannot have sub organizations',
          'Use a token of the root organization.',
        );
      const id = this.context.ids.next(organizationIds);
      const names = chooseNames(body, id);
      const endsBy = await endOfMaker(tx, call.caller);
      return await tx.inOrganization(id, async (inside) => {
        const { token, secrets } = await foundOrganization(this.context, inside, {
          id,
          parentId: parent.id,
          ...names,
          ...organizationContact(body),
          administrator: 'administrator',
          endsBy,
        });
        const member =
          body.member && hash !== undefined
            ? await firstMember(this.context, inside, call.caller, body.member, hash)
            : undefined;
        return {
          result: {
            organization: organizationView(await inside.organization()),
            token: tokenView(token, secrets).primary,
            ...(member ? { member: memberView(member) } : {}),
          },
        };
      });
    });
  }

  /**
   * Deletes the organization with everything in it, and its webhooks at providers later; its tokens stop working, and the agents of its
   * bridge groups are disconnected.
   */
  @Handles('subOrgs_delete')
  async delete(call: Call<'subOrgs_delete'>): Promise<Reply<'subOrgs_delete'>> {
    await this.context.write(call, async (tx) => {
      const { id } = await find(tx, call.path.organizationId);
      await removeWebhooksOfSubOrganization(tx, this, id);
      await endGrantsOfSubOrganization(tx, id, this.context.now());
      await organizationQueries.deleteChild(tx, id);
      tx.forget(id);
      await tx.notify('bridge.changed', { organizationId: id });
    });
    return undefined as Reply<'subOrgs_delete'>;
  }
}

async function find(tx: Reader, idOrName: string): Promise<Organization> {
  const found = await organizationQueries.findChild(tx, idOrName);
  if (found === undefined) throw notFound('sub_org', idOrName);
  return found;
}
