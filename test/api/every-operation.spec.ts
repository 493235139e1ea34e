import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, type OperationId, operations } from '#contract';
import { type Service, startService } from './service.js';
import { accountWorld, type Ask, organizationWorld, sharedWorld } from './worlds.js';

const secret = 'correct horse battery';
const desk = { provider_config: { type: 'ticketing_mock_ticketing' } };

let service: Service;
/** The first value of each path parameter. */
let own: Record<string, string>;

const ask: Ask = async (method, path, token, body) => {
  const { status, message, result } = await service.call(method, path, body, token);
  expect([method, path, status, message]).toEqual([method, path, status < 300 ? status : 200, '']);
  return result as never;
};

beforeAll(async () => {
  service = await startService();
  const { access, organizationId } = service.administrator;
  const { world } = await accountWorld(ask, access, 'near');
  const worlds = {
    ...world,
    ...(await organizationWorld(ask, access, 'near')),
    ...(await sharedWorld(ask, access, 'near')),
  };
  own = Object.fromEntries(Object.entries(worlds).map(([name, [id]]) => [name, id ?? '']));
  const sub = await ask<{ organization: { id: string } }>('POST', '/v1/suborgs', access, {});
  own['subOrganizationId'] = sub.organization.id;
  own['ownOrganizationId'] = organizationId;
}, 30_000);
afterAll(() => service.stop());

interface Input {
  path?: () => Record<string, string>;
  body?: () => unknown;
  /** Another token than the administrator's; `''` is none. */
  token?: () => Promise<string>;
}

let members = 0;
/** Of a member of its own, since changing the password ends all others. */
const session = async () => {
  members += 1;
  const name = `session-${members}`;
  await ask('POST', '/v1/members', service.administrator.access, { name, type: 'service', secret });
  const logon = await ask<{ token: { access: { secret: string } } }>(
    'POST',
    `/v1/auth/logon/${own['ownOrganizationId']}`,
    '',
    { name, secret },
  );
  return logon.token.access.secret;
};
const ownOrganization = () => ({
  organizationId: own['ownOrganizationId'] ?? '',
  ownerId: own['ownOrganizationId'] ?? '',
});
const resources = { organizations: { ids: ['*'] } };
const sso = { type: 'oidc', issuer_url: 'https://example.com', client_id: 'c', client_secret: 's' };
const data = 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root = this\n';
const provider = (name: string) =>
  `provider: custom_${name}\nversion: 1.0.0\nfullname: F\nvendor: V\ncredentials: { credential: { token: { send: header, name: authorization, value: this.credential.secret } } }\nhttp: { base_url: this.config.url, origins: ['https://x.example.com'] }\noperations: { custom_get: { steps: [{ name: one, path: /one }], record: this.steps.one } }\n`;

/** Valid input of the operations that need more than the records there are. */
const inputs: Partial<Record<OperationId, Input>> = {
  accounts_create: { body: () => ({ token: { permission_set: 'viewer' }, labels: ['a'] }) },
  auth_change_password: {
    body: () => ({ old_secret: secret, new_secret: 'another password' }),
    token: session,
  },
  auth_create_sso: { body: () => ({ fullname: 'Another', config: sso }) },
  auth_logoff: { token: session },
  auth_logon: {
    path: ownOrganization,
    body: () => ({ name: 'near-member', secret }),
    token: () => Promise.resolve(''),
  },
  auth_update_sso: { body: () => ({ fullname: 'Changed', config: sso }) },
  billing_get: { path: () => ({ ...ownOrganization(), month: 'partial' }) },
  bridges_create: { body: () => ({ fullname: 'Plant', labels: ['ot'] }) },
  capabilities_get_provider: { path: () => ({ providerId: 'ticketing_mock_ticketing' }) },
  credentials_create: {
    body: () => ({ name: 'c', config: { type: 'basic', username: 'u', secret } }),
  },
  credentials_update: {
    body: () => ({
      id: own['credentialId'],
      name: 'renamed',
      fullname: 'Renamed',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      owner_type: 'account',
      managed: 'Unmanaged',
    }),
  },
  customs_create: { body: () => ({ data: provider('another') }) },
  integrationPoints_create: { body: () => ({ connector: 'ticketing', environments: {} }) },
  integrations_create: { body: () => desk },
  integrations_verify: { body: () => ({ integration: desk }) },
  mappings_apply: { body: () => ({ mappings: ['near-mapping'], data: { a: 1 } }) },
  mappings_create: { body: () => ({ data }) },
  members_create: { body: () => ({ name: 'every@example.com', secret }) },
  organizationWebhooks_create: {
    body: () => ({
      url: 'https://example.com/hook',
      filters: ['all'],
      secret: { value: 'a secret of 24 characters or more' },
    }),
  },
  permissionset_get: { path: () => ({ permissionsetId: 'viewer' }) },
  roles_create: { body: () => ({ permission_set: 'viewer' }) },
  subOrgs_create: { body: () => ({ fullname: 'Another' }) },
  tokens_create_integration_token: { body: () => ({ token_ttl: '5m' }) },
  tokens_create_mcp_token: { body: () => ({ scope: { type: 'management' } }) },
  tokens_create_token: { body: () => ({ permission_set: 'viewer', resources }) },
  tokens_reset: { path: ownOrganization },
  tokens_rotate: { path: ownOrganization },
};

function addressOf({ path, id }: Operation): string {
  const values: Record<string, string | undefined> = {
    ...own,
    organizationId: own['subOrganizationId'],
    ...inputs[id]?.path?.(),
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${id}: no record for {${name}}`);
    return encodeURIComponent(value);
  });
}

/** What an operation takes: named above, else the record as it is, a patch of its name, or nothing. */
async function bodyOf({ id, method, request }: Operation, path: string): Promise<unknown> {
  const named = inputs[id]?.body;
  if (named) return named();
  if (request === 'none') return undefined;
  if (method === 'PATCH') return [{ op: 'replace', path: '/fullname', value: 'Patched' }];
  if (method === 'PUT') return await ask('GET', path, service.administrator.access);
  return undefined;
}

const order = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'];
const managed = [...operations.values()]
  .filter(({ side }) => side === 'management')
  .sort(
    (one, other) =>
      order.indexOf(one.method) - order.indexOf(other.method) ||
      other.path.length - one.path.length, // what lies in an account goes before it
  );

describe('every operation of the management API', () => {
  it('is served: all 110', () => {
    expect(managed).toHaveLength(110);
    expect(managed.filter(({ state }) => state === 'planned').map(({ id }) => id)).toEqual([]);
  });

  // The service holds each answer against the contract.
  it.each(managed.map((operation) => [operation.id, operation] as const))(
    '%s takes valid input, and answers as the contract says',
    async (_id, operation) => {
      const path = addressOf(operation);
      const body = await bodyOf(operation, path);
      const token = await inputs[operation.id]?.token?.();
      const { status, message } = await service.call(operation.method, path, body, token);
      expect([status, message]).toEqual([operation.response.status, '']);
    },
  );
});
