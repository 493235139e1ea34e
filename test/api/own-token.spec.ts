import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ManagementSchemas } from '#contract';
import { type Service, startService } from './service.js';

type OwnToken = ManagementSchemas['OwnToken'];
interface Made {
  id: string;
  primary: { access: { secret: string }; refresh: { secret: string } };
}

let service: Service;
let accountId: string;
beforeAll(async () => {
  service = await startService();
  const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {
    name: 'customer',
  });
  accountId = result.account.id;
});
afterAll(() => service.stop());

const path = '/v1/tokens/self/info';
const self = async (token: string) => await service.call<OwnToken>('GET', path, undefined, token);
const create = async (permission_set: string, resources: object) =>
  (await service.call<Made>('POST', '/v1/tokens', { permission_set, resources })).result;

// "A1 `tokens_get` with `self` for any token; answer includes grants and reach"
describe('GET /v1/tokens/self/info', () => {
  it('says what an administrator may do: everything, everywhere', async () => {
    const { status, result } = await self(service.administrator.access);
    expect(status).toBe(200);
    expect(result.grants).toEqual([
      { permission_set: 'administrator', accounts: null, categories: null },
    ]);
    expect(result.organization_id).toBe(service.administrator.organizationId);
    expect(result.operations).toContain('members_create');
    expect(result.operations).not.toContain('ticketing_query_tickets');
    expect(result).not.toHaveProperty('integration_id');
  });

  it('says what a page of a customer may do, though it may not read tokens', async () => {
    const made = await create('connect-ui', {
      accounts: { ids: [accountId], environments: ['prod'] },
      integrations: { categories: ['ticketing'] },
    });
    const { status, result } = await self(made.primary.access.secret);
    expect(status).toBe(200);
    expect(result.token.id).toBe(made.id);
    expect(result.token.primary.access.secret).toBe('ofo_********');
    expect(result.grants).toEqual([
      {
        permission_set: 'connect-ui',
        accounts: { ids: [accountId], environments: ['prod'] },
        categories: ['ticketing'],
      },
    ]);
    expect(result.operations).toContain('integrations_create');
    expect(result.operations).not.toContain('tokens_get');
    expect(result.operations).not.toContain('members_list');
    // The API does what it says.
    const get = async (address: string) =>
      (await service.call('GET', address, undefined, made.primary.access.secret)).status;
    expect(await get(`/v1/tokens/${made.id}/info`)).toBe(403);
    expect(await get('/v1/members')).toBe(403);
    expect(await get(`/v1/integrations/${accountId}`)).toBe(200);
  });

  it('says whose an Integration token is, and which operations of its domain it may call', async () => {
    const made = await service.call<{ integration: { id: string }; token: Made['primary'] }>(
      'POST',
      `/v1/integrations/${accountId}`,
      { provider_config: { type: 'ticketing_mock_ticketing' } },
    );
    const { integration, token } = made.result;
    const { status, message, result } = await self(token.access.secret);
    expect([status, message]).toEqual([200, '']);
    expect(result).toMatchObject({
      organization_id: service.administrator.organizationId,
      account_id: accountId,
      integration_id: integration.id,
      category: 'ticketing',
      grants: [],
    });
    expect(result.operations).toContain('ticketing_query_tickets');
    expect(result.operations).toContain('tokens_get_self');
    expect(result.operations).not.toContain('edr_query_endpoints');
    expect(result.operations).not.toContain('tokens_list');
    // It may ask about itself, and nothing else of the management API.
    const other = await service.call('GET', '/v1/accounts', undefined, token.access.secret);
    expect([other.status, other.message]).toEqual([
      403,
      'the token is an Integration token, this call needs an Organization token',
    ]);
  });

  it('says of a session whose password must be changed that it may do nothing else', async () => {
    const name = 'invited@example.com';
    const secret = 'A-first-password-1';
    const member = await service.call('POST', '/v1/members', {
      name,
      secret,
      role_binding: ['viewer'],
      options: { options: ['invited'] },
    });
    expect([member.status, member.message]).toEqual([200, '']);
    const { organizationId } = service.administrator;
    const logon = await service.call<{ token?: Made['primary'] }>(
      'POST',
      `/v1/auth/logon/${organizationId}`,
      { name, secret },
      '',
    );
    const { status, result } = await self(logon.result.token?.access.secret ?? '');
    expect([status, result.session]).toEqual([200, 'password']);
    expect(result.operations.sort()).toEqual([
      'auth_change_password',
      'auth_logoff',
      'tokens_get_self',
    ]);
  });

  it('refuses refresh secrets, MCP tokens, unknown tokens and none', async () => {
    const made = await create('viewer', { organizations: { ids: ['*'] } });
    const mcp = await service.call<{ secret: string }>('POST', '/v1/tokens/mcp', {
      scope: { type: 'management' },
    });
    expect(mcp.status).toBe(200);
    expect((await self(made.primary.refresh.secret)).status).toBe(401);
    expect((await self(mcp.result.secret)).status).toBe(403);
    expect((await self('ofo_unknown')).status).toBe(401);
    expect((await self('')).status).toBe(401);
    await service.call('DELETE', `/v1/tokens/${made.id}`);
    expect((await self(made.primary.access.secret)).status).toBe(401);
  });

  it('says to each organization its own token', async () => {
    const other = await service.organization('other');
    const { result } = await self(other.access);
    expect(result.organization_id).toBe(other.organizationId);
    expect(JSON.stringify(result)).not.toContain(service.administrator.organizationId);
  });
});
