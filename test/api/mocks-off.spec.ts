import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../e2e/client.js';
import { type Service, startService } from './service.js';

let service: Service;
let administrator: Client;
beforeAll(async () => {
  service = await startService(5, undefined, 0, { mocks: false });
  administrator = new Client(service.url, service.administrator.access);
});
afterAll(() => service.stop());

describe('MOCKS=off', () => {
  it('takes mocks out of the capabilities, and leaves the providers', async () => {
    const { result } = await administrator.call('capabilities_list_providers');
    const ids = result.map(({ id }) => id);
    expect(ids.filter((id) => /_mock(?:_|$)/.test(id))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['edr_crowdstrike', 'ticketing_jira']));
  });

  it.each(['edr_crowdstrike_mock', 'ticketing_mock_ticketing', 'siem_mock_siem'])(
    'refuses an integration of %s',
    async (type) => {
      const { result } = await administrator.call('accounts_create', { body: {} });
      const problem = await administrator.refuse('integrations_create', 400, {
        path: { accountId: result.account.id },
        body: { provider_config: { type, dataset: 'basic_v0' } as never },
      });
      expect(problem).toMatchObject({
        message: 'body /provider_config/type: is not a provider that this installation serves',
      });
    },
  );
});
