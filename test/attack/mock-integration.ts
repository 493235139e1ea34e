import type { Service } from '../api/service.js';

/** Creates an account with an integration of the built-in ticketing mock. @returns the token of the integration */
export async function createMockToken(service: Service): Promise<string> {
  const account = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  const made = await service.call<{ token: { access: { secret: string } } }>(
    'POST',
    `/v1/integrations/${account.result.account.id}`,
    { fullname: 'Tickets', provider_config: { type: 'ticketing_mock_ticketing' } },
  );
  return made.result.token.access.secret;
}
