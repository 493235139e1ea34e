import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, forbidden, isWithin, type Reply } from '#contract';
import { ManagementContext, readDuration } from '#management/core';
import { kinds, ownAccountId, ownPoints, type Transaction } from '#store';
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
      await this.openAccount(tx, accountId);
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
  private async openAccount(tx: Transaction, id: string): Promise<void> {
    const { organizationId } = tx.scope;
    const now = this.context.now();
    await tx.query(
      `insert into accounts (id, organization_id, name, fullname, environment, labels, created_at, updated_at)
       values ($1, $2, $1, $3, 'prod', '{}', $4, $4) on conflict do nothing`,
      [id, organizationId, 'Integrations of the organization', now],
    );
    for (const name of ownPoints)
      await tx.query(
        `insert into integration_points
           (id, organization_id, name, fullname, connector, environments, built_in, created_at, updated_at)
         values ($1, $2, $3, $3, 'sink', $4, true, $5, $5) on conflict do nothing`,
        [
          this.context.ids.next(kinds.integrationPoints),
          organizationId,
          name,
          JSON.stringify({ test: ['*'], prod: ['*'] }),
          now,
        ],
      );
  }
}
