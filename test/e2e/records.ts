import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.js';

/** Creates an account with an integration on the built-in ticketing mock. */
export async function createMockIntegration(
  api: Client,
  name: string,
): Promise<{ accountId: string; integrationId: string; token: string }> {
  const { account } = (await api.call('accounts_create', { body: { name } })).result;
  const { integration, token } = (
    await api.call('integrations_create', {
      path: { accountId: account.id },
      body: { name, provider_config: { type: 'ticketing_mock_ticketing' } },
    })
  ).result;
  return { accountId: account.id, integrationId: integration.id, token: token.access.secret };
}

/** Caches of other processes are a second old at most without the event of a change, and some milliseconds with it. */
const behindMs = 1_500;

/** Repeats work until a change is known to every process. */
export async function soon<T>(work: () => Promise<T>, withinMs = behindMs): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(10);
    }
  }
}
