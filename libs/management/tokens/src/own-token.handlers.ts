import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import {
  type Call,
  type Caller,
  type CallerPermission,
  decide,
  type ManagementSchemas,
  operations,
  type Reply,
} from '#contract';
import { ManagementContext } from '#management/core';
import { wholeOrganization } from '#store';
import { tokenView } from './token-record.js';

type Grant = ManagementSchemas['OwnTokenGrant'];
type Category = ManagementSchemas['CategoryId'];

/** Groups of the connector API that are for integrations of every domain. */
const sharedGroups = new Set(['integrationWebhooks', 'operations']);

/** `GET /v1/tokens/self/info`: who a token is, and what it may do. */
@Controller()
export class OwnTokenHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('tokens_get_self')
  async get({ caller }: Call<'tokens_get_self'>): Promise<Reply<'tokens_get_self'>> {
    const { organizationId, tokenId, accountId, integrationId, category, session } = caller;
    const token = await this.context.store.read(wholeOrganization(organizationId), (tx) =>
      tx.tokens.get(tokenId),
    );
    return {
      result: {
        token: tokenView(token),
        organization_id: organizationId,
        ...(accountId === undefined ? {} : { account_id: accountId }),
        ...(integrationId === undefined ? {} : { integration_id: integrationId }),
        ...(category === undefined ? {} : { category: category as Category }),
        ...(session === undefined ? {} : { session }),
        grants: caller.permissions.map(grantOf),
        operations: operationsOf(caller),
      },
    };
  }
}

function grantOf({ permissionSet, accounts, categories }: CallerPermission): Grant {
  const { ids, labels, environments } = accounts ?? {};
  return {
    permission_set: permissionSet,
    accounts: ids
      ? {
          ids: [...ids],
          ...(labels ? { labels: [...labels] } : {}),
          ...(environments ? { environments: [...environments] as ('test' | 'prod')[] } : {}),
        }
      : null,
    categories: categories ? [...categories] : null,
  };
}

/** The ids of the served operations that need a token and that the caller may use, those of a domain only with an integration of it. */
function operationsOf(caller: Caller): string[] {
  return [...operations.values()]
    .filter(
      (operation) =>
        operation.state === 'served' &&
        !operation.public &&
        (operation.side === 'management' ||
          operation.group === caller.category ||
          sharedGroups.has(operation.group)) &&
        decide(caller, operation).allowed,
    )
    .map(({ id }) => id);
}
