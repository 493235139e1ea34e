import { afterEach, describe, expect, it } from '@jest/globals';
import { type Onefold, startDistributed, startOnTestDatabase } from './onefold.js';
import { startApp } from './processes.js';

/** Takes about 400,000 steps: less than a run may take, more than a twentieth of it. */
const mapping = `engine: bloblang_direct
version: "1.0"
templates:
  default: |
    root = this
    root.summary = range(0, 100000).map_each(n -> n + 1).length().string()
`;
const isRefused =
  /the mapping slow:1 failed: slow:6:20 in template default, root.summary: the template takes more than 250000 steps$/;

interface Place {
  accountId: string;
  integrationId: string;
  token: string;
}

async function createIntegration({ api }: Onefold): Promise<Place> {
  const { account } = (await api.call('accounts_create', { body: {} })).result;
  const { result } = await api.call('integrations_create', {
    path: { accountId: account.id },
    body: {
      provider_config: { type: 'ticketing_mock_ticketing' } as never,
      mappings: [
        { operation_ids: ['ticketing_query_tickets'], mappings: ['default:0', 'slow'] },
      ] as never,
    },
  });
  return {
    accountId: account.id,
    integrationId: result.integration.id,
    token: result.token.access.secret,
  };
}

describe('mapping budgets', () => {
  let onefold: Onefold | undefined;

  afterEach(async () => {
    await onefold?.stop();
  });

  it('for every run refuse a mapping that takes more, and name mapping, template and limit', async () => {
    onefold = await startOnTestDatabase({ MAPPING_BUDGETS: '*:5' });
    const { api } = onefold;
    await api.call('mappings_create', { body: { name: 'slow', data: mapping } });
    const tried = await api.refuse('mappings_apply', 400, {
      body: { mappings: ['slow'], data: { summary: '' } },
    });
    expect(tried.message).toMatch(isRefused);
    const { token } = await createIntegration(onefold);
    const called = await api.as(token).refuse('ticketing_query_tickets', 502);
    expect(called.message).toMatch(isRefused);
  });

  it('for one integration refuse its mappings, and no others', async () => {
    onefold = await startDistributed({}, { worker: false });
    const { api, env, processes } = onefold;
    await api.call('mappings_create', { body: { name: 'slow', data: mapping } });
    const limited = await createIntegration(onefold);
    const other = await createIntegration(onefold);
    const query = { limit: 1 };
    for (const { token } of [limited, other])
      await api.as(token).call('ticketing_query_tickets', { query });

    await processes['connector']?.stop();
    const connector = startApp('connector', [], {
      ...env,
      MAPPING_BUDGETS: `${limited.integrationId}:5,${other.accountId}:90`,
    });
    processes['connector'] = connector;
    await connector.says(/"message":"ready"/);
    const refused = await api.as(limited.token).refuse('ticketing_query_tickets', 502);
    expect(refused.message).toMatch(isRefused);
    const { result } = await api.as(other.token).call('ticketing_query_tickets', { query });
    expect(result).toMatchObject([{ summary: '100000' }]);
  });
});
