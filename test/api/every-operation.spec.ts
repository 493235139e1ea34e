import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, type OperationId, operations } from '#contract';
import { eventually } from '#test/harness';
import { createWorld, customProvider, password, type World } from '../isolation/world.js';
import { own } from '../isolation/world-ids.js';
import { type Service, startService } from './service.js';

const desk = { provider_config: { type: 'ticketing_mock_ticketing' } };

let service: Service;
let world: World;

async function ask<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const { status, message, result } = await service.call(method, path, body, token);
  expect([method, path, status, message]).toEqual([method, path, status < 300 ? status : 200, '']);
  return result as T;
}

beforeAll(async () => {
  service = await startService();
  world = await createWorld(service, 'near', service.administrator);
  const point = { name: 'unused', connector: 'ticketing', environments: {} };
  await ask('POST', '/v1/integration-points', point);
});
afterAll(() => service.stop());

interface Input {
  path?: () => Record<string, string>;
  body?: () => unknown;
  /** A token other than the administrator's; `''` is none. */
  token?: () => Promise<string>;
}

let members = 0;
/** A session of a separate member, because changing the password ends all others. */
const session = async () => {
  members += 1;
  const member = { name: `session-${members}`, secret: password };
  await ask('POST', '/v1/members', { ...member, type: 'service' });
  const logon = await ask<{ token: { access: { secret: string } } }>(
    'POST',
    `/v1/auth/logon/${world.organizationId}`,
    member,
    '',
  );
  return logon.token.access.secret;
};
/** The token of a Connect session, or of a link to one. */
const connect = async (more: object) => {
  const path = `/v1/connect/${world.accounts[0].accountId}/sessions`;
  const body = { integration_point_id: world.ids['integrationPointId'], ...more };
  return (await ask<{ token: string }>('POST', path, body)).token;
};
const recordedRequest = '01234567-89ab-4cde-8f01-23456789abcd';
/** Makes a call whose bodies are recorded, as the request of that id. */
const recordRequest = async () => {
  const { accountId } = world.accounts[0];
  const { integration, token } = await ask<{
    integration: { id: string };
    token: { access: { secret: string } };
  }>('POST', `/v1/integrations/${accountId}`, { provider_config: { type: 'ticketing_jira_mock' } });
  const recording = `/v1/integrations/${accountId}/${integration.id}/recording`;
  await ask('PUT', recording, { hours: 1 });
  const { status } = await fetch(`${service.url}/v1/ticketing/tickets?limit=1`, {
    headers: {
      authorization: `Bearer ${token.access.secret}`,
      'x-request-id': recordedRequest,
    },
  });
  expect(status).toBe(200);
  await eventually(async () => {
    const { result } = await service.call<{ bodies?: object }>(
      'GET',
      `/v1/requests/${recordedRequest}`,
    );
    expect(result.bodies).toBeDefined();
  });
};
const resources = { organizations: { ids: ['*'] } };
const sso = { type: 'oidc', issuer_url: 'https://example.com', client_id: 'c', client_secret: 's' };
const data = 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root = this\n';

/** Valid input of operations that need more than the existing records. */
const inputs: Partial<Record<OperationId, Input>> = {
  accounts_create: { body: () => ({ token: { permission_set: 'viewer' }, labels: ['a'] }) },
  auth_change_password: {
    body: () => ({ old_secret: password, new_secret: 'another password' }),
    token: session,
  },
  auth_create_sso: { body: () => ({ fullname: 'Another', config: sso }) },
  auth_logoff: { token: session },
  auth_logon: {
    body: () => ({ name: 'near@example.com', secret: password }),
    token: () => Promise.resolve(''),
  },
  auth_update_sso: { body: () => ({ fullname: 'Changed', config: sso }) },
  bridges_create: { body: () => ({ fullname: 'Plant', labels: ['ot'] }) },
  connect_begin_authorization: {
    body: () => ({ integration_point_id: world.ids['chatPointId'], provider: 'chat_slack' }),
  },
  connect_create_session: {
    body: () => ({ integration_point_id: world.ids['integrationPointId'], ttl: '1m' }),
  },
  connect_get_session: { token: () => connect({}) },
  connect_open_link: { token: () => connect({ link: true }) },
  credentials_create: {
    body: () => ({ name: 'c', config: { type: 'basic', username: 'u', secret: password } }),
  },
  credentials_update: {
    body: () => ({
      id: world.accounts[0].ids['credentialId'],
      name: 'renamed',
      fullname: 'Renamed',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      owner_type: 'account',
      managed: 'Unmanaged',
    }),
  },
  customs_create: { body: () => ({ data: customProvider('another') }) },
  integrationPoints_create: { body: () => ({ connector: 'ticketing', environments: {} }) },
  integrationPoints_delete: { path: () => ({ integrationPointId: 'unused' }) },
  integrations_create: { body: () => desk },
  integrations_replay_deliveries: { body: () => ({ from: '2026-01-01T00:00:00Z' }) },
  integrations_verify: { body: () => ({ integration: desk }) },
  mappings_apply: { body: () => ({ mappings: ['near-mapping'], data: { a: 1 } }) },
  mappings_create: { body: () => ({ data }) },
  members_create: { body: () => ({ name: 'every@example.com', secret: password }) },
  operations_create_job: {
    body: async () => {
      const { accountId, ids } = world.accounts[0];
      const { integration } = await ask<{ integration: { id: string } }>(
        'POST',
        `/v1/integrations/${accountId}`,
        { provider_config: { type: 'sink_http', url: 'http://127.0.0.1:9' } },
      );
      return {
        integration_id: ids['integrationId'],
        operation: 'ticketing_query_tickets',
        input: { sink_integration_id: integration.id },
      };
    },
  },
  organizationWebhooks_create: {
    body: () => ({
      url: 'https://example.com/hook',
      filters: ['all'],
      secret: { value: 'a secret of 24 characters or more' },
    }),
  },
  organizationWebhooks_replay_deliveries: { body: () => ({ from: '2026-01-01T00:00:00Z' }) },
  requests_record_bodies: { body: () => ({ hours: 1 }) },
  requests_replay: {
    path: () => ({ requestId: recordedRequest }),
    body: async () => {
      await recordRequest();
      return { mappings: ['default:0'] };
    },
  },
  roles_create: { body: () => ({ permission_set: 'viewer' }) },
  subOrgs_create: { body: () => ({ fullname: 'Another' }) },
  tokens_create_integration_token: { body: () => ({ token_ttl: '5m' }) },
  tokens_create_mcp_token: { body: () => ({ scope: { type: 'management' } }) },
  tokens_create_token: { body: () => ({ permission_set: 'viewer', resources }) },
};

function addressOf(operation: Operation): string {
  const { path, id } = operation;
  const given = inputs[id]?.path?.() ?? {};
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name] ?? own(world, world.accounts[0], operation, name);
    if (value === '') throw new Error(`${id}: no record for {${name}}`);
    return encodeURIComponent(value);
  });
}

/**
 * Returns valid input of an operation: one from above, otherwise the record itself, a patch of its name, or nothing.
 */
async function bodyOf({ id, method, request }: Operation, path: string): Promise<unknown> {
  const named = inputs[id]?.body;
  if (named) return named();
  if (request === 'none') return undefined;
  if (method === 'PATCH') return [{ op: 'replace', path: '/fullname', value: 'Patched' }];
  if (method === 'PUT') return await ask('GET', path);
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
  it('is served', () => {
    expect(managed.filter(({ state }) => state === 'planned').map(({ id }) => id)).toEqual([]);
  });

  // The service checks each response against the contract.
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
