import type { Client } from './client.js';

/** Creates an account with an integration on the built-in ticketing mock. */
export async function createMockIntegration(
  api: Client,
  name: string,
  type = 'ticketing_mock_ticketing',
): Promise<{ accountId: string; integrationId: string; token: string }> {
  const { account } = (await api.call('accounts_create', { body: { name } })).result;
  const { integration, token } = (
    await api.call('integrations_create', {
      path: { accountId: account.id },
      body: { name, provider_config: { type } as never },
    })
  ).result;
  return { accountId: account.id, integrationId: integration.id, token: token.access.secret };
}
