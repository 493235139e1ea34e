import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from '../api/service.js';

let service: Service;
let account: string;
let integration: string;

const jira = (url: string) => ({
  type: 'ticketing_jira',
  url,
  credential: { type: 'basic', username: 'robot', secret: 'hidden-secret' },
});

beforeAll(async () => {
  service = await startService();
  const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  account = result.account.id;
  const made = await service.call<{ integration: { id: string } }>(
    'POST',
    `/v1/integrations/${account}`,
    { provider_config: jira('https://desk.example.com') },
  );
  integration = made.result.integration.id;
});
afterAll(() => service.stop());

describe.each([
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'unix:/var/run/docker.sock',
  'data:text/plain,x',
  'javascript:alert(1)',
  'ftp://desk.example.com',
  'blob:https://desk.example.com/1',
  '//desk.example.com',
  'desk.example.com',
  'https://robot:secret@desk.example.com',
])('the address %s', (address) => {
  it('is a 400 at its place in a provider configuration', async () => {
    const path = `/v1/integrations/${account}`;
    const provider_config = jira(address);
    const at = async (expected: string, ...call: [string, string, unknown]) => {
      const { status, message } = await service.call(...call);
      expect([call[0], call[1], status, message]).toEqual([
        call[0],
        call[1],
        400,
        expect.stringContaining(expected),
      ]);
    };
    const place = 'body /provider_config/url';
    await at(place, 'POST', path, { provider_config });
    await at('body /integration/provider_config/url', 'POST', `${path}/verify`, {
      integration: { provider_config },
    });
    const { result } = await service.call<object>('GET', `${path}/${integration}`);
    const changed = { ...result, provider_config };
    await at(place, 'POST', `${path}/${integration}/verify`, changed);
    await at(place, 'PUT', `${path}/${integration}`, changed);
    await at(place, 'PATCH', `${path}/${integration}`, [
      { op: 'replace', path: '/provider_config/url', value: address },
    ]);
    await at('token_url', 'POST', `/v1/credentials/${account}`, {
      config: { type: 'o_auth_client', client_id: 'a', client_secret: 'b', token_url: address },
    });
    await at('webhook_url', 'POST', path, {
      provider_config: { type: 'ticketing_mock_ticketing' },
      webhook_config: { items: [{ webhook_url: address, event_filter: ['TicketCreated'] }] },
    });
    await at('body /url', 'POST', '/v1/organization/webhooks', {
      url: address,
      filters: [],
      secret: { value: 'a-secret-of-24-characters-' },
    });
    for (const [field, config] of [
      [
        'issuer_url',
        { type: 'oidc', issuer_url: address, client_id: 'a', client_secret: 'b'.repeat(32) },
      ],
      [
        'idp_sso_url',
        {
          type: 'saml',
          idp_entity_id: 'idp',
          idp_sso_url: address,
          idp_certificate: 'none',
          sp_entity_id: 'sp',
        },
      ],
    ] as const)
      await at(field, 'POST', '/v1/auth/sso', { fullname: 'Sign-on', config });
  });
});
