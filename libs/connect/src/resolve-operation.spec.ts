import { describe, expect, it } from '@jest/globals';
import type { ResolvedIntegration } from '#bus';
import { systemClock } from '#config';
import { ApiError, type Call, type OperationId, operations } from '#contract';
import { Budgets } from '@onefold/mapping';
import type { Provider, ProviderOperation } from './provider.js';
import { resolveOperation } from './resolve-operation.js';
import { Usage } from './usage/usage.js';

/** Asks a provider for an operation that it does not offer. @returns the 501 */
async function refused(
  asked: string,
  offered: string[],
  unsupported: Record<string, string> = {},
): Promise<ApiError> {
  const provider = {
    type: 'chat_own',
    manifest: {} as Provider['manifest'],
    operations: Object.fromEntries(offered.map((id) => [id, {} as ProviderOperation])),
    unsupported,
  };
  const integration = { providerType: 'chat_own', accountId: 'acc_1' } as ResolvedIntegration;
  const call = {
    operation: asked,
    path: {},
    query: {},
    meta: [],
    requestId: 'req_1',
    deadline: 0,
    caller: { organizationId: 'org_1', integrationId: 'int_1' },
  } as unknown as Call;
  const error: unknown = await resolveOperation(
    call,
    {},
    {
      integrations: { find: () => Promise.resolve(integration) },
      providers: { find: () => Promise.resolve(provider) },
      usage: new Usage(),
      budgets: new Budgets(),
      clock: systemClock,
    },
  ).catch((cause: unknown) => cause);
  if (!(error instanceof ApiError)) throw error;
  expect(error.status).toBe(501);
  return error;
}

describe('"NotImplemented error; use the user-scoped variant"', () => {
  it.each([
    ['chat_query_conversations', 'chat_query_user_conversations'],
    ['chat_query_conversation_members', 'chat_query_user_conversation_members'],
    ['chat_query_conversation_messages', 'chat_query_user_conversation_messages'],
  ])('%s of a provider that lists only per user names %s', async (asked, other) => {
    const path = operations.get(other as OperationId)?.path ?? '';
    const remedy = async (offered: string) => (await refused(asked, [offered])).options.remediation;
    expect(await remedy(other)).toBe(`It offers ${other}: call GET ${path}.`);
    expect(await remedy('chat_query_users')).toContain('expand=operations');
  });
});

it('names the reason that the document has for a 501', async () => {
  const reasons = { chat_query_messages: 'its search refuses the tokens of bots' };
  expect((await refused('chat_query_messages', [], reasons)).message).toBe(
    'the provider chat_own does not offer chat_query_messages: its search refuses the tokens of bots',
  );
  expect((await refused('chat_query_users', [], reasons)).message).toBe(
    'the provider chat_own does not offer chat_query_users',
  );
});
