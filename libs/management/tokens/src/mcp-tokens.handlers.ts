import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import {
  type Body,
  type Call,
  forbidden,
  isWithin,
  type ManagementSchemas,
  type Reply,
} from '#contract';
import { fault, ManagementContext, readDuration } from '#management/core';
import type { Transaction } from '#store';
import { issueToken } from './issue-token.js';
import { endOfMaker } from './token-lifetime.js';
import { adhocPermission } from './token-permissions.js';
import { pairView, ttlBounds } from './token-record.js';

type McpScope = ManagementSchemas['McpTokenScope'];
type Resources = ManagementSchemas['Resources'];

const maxOperations = 200;

/** `/v1/tokens/mcp`: tokens for the MCP endpoint, which no other endpoint accepts. */
@Controller()
export class McpTokensHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('tokens_create_mcp_token')
  async create(call: Call<'tokens_create_mcp_token'>): Promise<Reply<'tokens_create_mcp_token'>> {
    const { body, caller } = call;
    return await this.context.create(call, async (tx) => {
      const ttl = readDuration(body.token_ttl, '/token_ttl', ttlBounds.mcp);
      const scope = await resolveScope(tx, body.scope);
      const adhocRole = {
        resources: resourcesOf(scope),
        permission_set: permissionSetOf(body),
      };
      if (!isWithin(adhocPermission(adhocRole), caller.permissions))
        throw forbidden(
          'the token would permit more than the token that creates it',
          'Use the token of an administrator of the accounts in the scope.',
        );
      const { token, secrets } = await issueToken(this.context, tx, {
        ownerId: caller.organizationId,
        ownerType: 'organization',
        memberId: caller.memberId,
        ...(scope.account_id ? { accountId: scope.account_id } : {}),
        tokenType: 'adhoc',
        ttl,
        endsBy: await endOfMaker(tx, caller),
        adhocRole,
        mcpScope: scope,
        accessOnly: true,
      });
      return { result: pairView(token, token.primaryPair, secrets).access };
    });
  }
}

/** @throws ApiError 400 for a permission set that does not fit the scope */
function permissionSetOf({ scope, permission_set: wanted }: Body<'tokens_create_mcp_token'>) {
  if (scope.type === 'integration-usage') return wanted ?? 'mcp-integrations-use-only';
  if (wanted)
    throw fault('/permission_set', `does not fit the scope ${scope.type}`, {
      value: wanted,
      remediation: 'Leave it out, or use the scope integration-usage.',
    });
  return 'mcp-management';
}

/** Returns the scope with the id of the account, which may be given by name. @throws ApiError 400 */
async function resolveScope(tx: Transaction, scope: McpScope): Promise<McpScope> {
  if (
    scope.type === 'integration-usage' &&
    (scope.restrict_to_connector_operations?.length ?? 0) > maxOperations
  )
    throw fault('/scope/restrict_to_connector_operations', 'has too many values', {
      remediation: `Send at most ${maxOperations}, or leave it out for all.`,
    });
  if (!scope.account_id) return scope;
  const account = await tx.accounts.find(scope.account_id);
  if (account === undefined)
    throw fault('/scope/account_id', 'is not an account', {
      value: scope.account_id,
      remediation: 'Use an id or name of GET /v1/accounts.',
    });
  return { ...scope, account_id: account.id };
}

/** Returns the scope in the form of a role's resources. */
function resourcesOf(scope: McpScope): Record<string, unknown> {
  const environment = scope.type === 'management' ? scope.environment : undefined;
  if (!scope.account_id && !environment)
    return { organizations: { ids: ['*'] } } satisfies Resources;
  return {
    accounts: {
      ids: [scope.account_id ?? '*'],
      ...(environment ? { environments: [environment] } : {}),
    },
  } satisfies Resources;
}
