import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, forbidden, isWithin, type Reply } from '#contract';
import { ManagementContext, readDuration } from '#management/core';
import { accountQueries, kinds, ownAccountId, ownPoints, type Transaction } from '#store';
import { issueToken } from './issue-token.js';
import { endOfMaker } from './token-lifetime.js';
import { adhocPermission } from './token-permissions.js';
import { tokenView, ttlBounds } from './token-record.js';

type Id = 'tokens_create_organization_integrations_token';

/** `/v1/tokens/organization-integrations`: tokens for the account of the organization's own integrations. */
@Controller()
export class OwnIntegrationsHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('tokens_create_organization_integrations_token')
  async create(call: Call<Id>): Promise<Reply<Id>> {
    const { caller } = call;
    return await this.context.create(call, async (tx) => {
      const accountId = ownAccountId(tx.scope.organizationId);
      const adhocRole = {
        resources: { accounts: { ids: [accountId] }, integrations: { categories: ['sink'] } },
        permission_set: 'account-manager',
      };
      if (!isWithin(adhocPermission(adhocRole), caller.permissions))
        throw forbidden(
          'the token would permit more than the token that creates it',
          'Use the token of an administrator of the whole organization.',
        );
      await this.openAccount(tx);
      const { token, secrets } = await issueToken(this.context, tx, {
        ownerId: caller.organizationId,
        ownerType: 'organization',
        memberId: caller.memberId,
        accountId,
        fullname: "Token for the organization's own integrations",
        tokenType: 'adhoc',
        ttl: readDuration(call.body?.token_ttl, '/token_ttl', ttlBounds.token),
        endsBy: await endOfMaker(tx, caller),
        adhocRole,
      });
      return { result: { account_id: accountId, token: tokenView(token, secrets) } };
    });
  }

  /** Creates the account and its integration points unless they exist. Two calls at once may both do it. */
  private async openAccount(tx: Transaction): Promise<void> {
    const now = this.context.now();
    await accountQueries.openOwn(tx, 'Integrations of the organization', now);
    const environments = { test: ['*'], prod: ['*'] };
    for (const name of ownPoints) {
      const id = this.context.ids.next(kinds.integrationPoints);
      await accountQueries.openOwnPoint(tx, { id, name, environments, now });
    }
  }
}
