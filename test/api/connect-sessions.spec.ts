import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operations } from '#contract';
import { send } from '../isolation/requests.js';
import { createWorld, type World } from '../isolation/world.js';
import { own } from '../isolation/world-ids.js';
import { type Service, startService } from './service.js';

interface Session {
  id: string;
  providers: string[];
  expires_at: string;
  [name: string]: unknown;
}
interface Made {
  session: Session;
  token: string;
  url: string;
}

const mock = 'ticketing_mock_ticketing';
const origin = 'https://app.example.com';
const theme = { product_name: 'Example', accent: '#ffee00', appearance: 'auto' };

let service: Service;
let world: World;
let point: string;
let accountId: string;
beforeAll(async () => {
  service = await startService();
  world = await createWorld(service, 'near', service.administrator);
  accountId = world.accounts[0].accountId;
  point = world.ids['integrationPointId'] ?? '';
  const patched = await setOptions({ origins: [origin, 'http://localhost:3000'], theme });
  expect([patched.status, patched.message]).toEqual([200, '']);
});
afterAll(() => service.stop());

const setOptions = async (connect: unknown) =>
  await service.call('PATCH', '/v1/organization', [
    { op: 'add', path: '/options', value: { connect } },
  ]);
const sessions = () => `/v1/connect/${accountId}/sessions`;
const start = async (body: object = {}, token?: string) =>
  await service.call<Made>('POST', sessions(), { integration_point_id: point, ...body }, token);
const started = async (body: object = {}): Promise<Made> => {
  const { status, message, result } = await start(body);
  expect([status, message]).toEqual([200, '']);
  return result;
};
const creation = (more: object = {}) => ({
  provider_config: { type: mock },
  integration_point_id: point,
  ...more,
});
const create = async (token: string, more: object = {}) =>
  await service.call<{ integration: { id: string }; token: { access: { secret: string } } }>(
    'POST',
    `/v1/integrations/${accountId}`,
    creation(more),
    token,
  );
const session = async (token: string) =>
  await service.call<{ session: Session; theme: object }>(
    'GET',
    '/v1/connect/session',
    undefined,
    token,
  );

describe('connect_create_session', () => {
  it('returns a token and what the page may know', async () => {
    const before = Date.now();
    const end_user = { id: 'user-7', label: 'Zoë الأمين' };
    const made = await started({ origin, locale: 'fr', end_user, providers: [mock] });
    expect(made.token).toMatch(/^ofo_/);
    expect(made.url).toMatch(/^https?:\/\/[^/]+\/connect\/[\w-]+\/#/);
    expect(made.url).toContain(`/#session=${made.token}&locale=fr`);
    expect(made.session).toMatchObject({
      account_id: accountId,
      integration_point_id: point,
      connector: 'ticketing',
      providers: [mock],
      origin,
      locale: 'fr',
      end_user,
    });
    const ttl = Date.parse(made.session.expires_at) - before;
    expect(Math.round(ttl / 60_000)).toBe(15);
    const { status, result } = await session(made.token);
    expect(status).toBe(200);
    expect(result).toEqual({ session: made.session, theme, authorizable: [] });
  });

  it.each([
    [{ ttl: '2h' }, '/ttl'],
    [{ ttl: '10s' }, '/ttl'],
    [{ integration_point_id: 'nothing' }, '/integration_point_id'],
    [{ integration_id: 'nothing' }, '/integration_id'],
    [{ origin: 'https://evil.example.com' }, '/origin'],
    [{ origin: `${origin}.evil.example.com` }, '/origin'],
    [{ return_url: 'https://evil.example.com/app' }, '/return_url'],
    [{ return_url: 'javascript:alert(1)' }, '/return_url'],
    [{ origin, return_url: `${origin}/back` }, '/return_url'],
    [{ origin, link: true }, '/origin'],
    [{ link: true, ttl: '8d' }, '/ttl'],
    [{ providers: ['edr_mock_edr'] }, '/providers/0'],
    [{ locale: 'xx' }, '/locale'],
    [{ end_user: { id: '' } }, '/end_user/id'],
  ])('refuses %j at %s', async (body, pointer) => {
    const { status, message } = await start(body);
    expect([status, message.split(':')[0]]).toEqual([400, `body ${pointer}`]);
  });

  it('returns to a page of a listed origin', async () => {
    const { session: made } = await started({ return_url: `${origin}/back?tab=1` });
    expect(made['return_url']).toBe(`${origin}/back?tab=1`);
  });

  it('is for callers who may connect in the account', async () => {
    const other = world.accounts[1].token;
    expect((await start({}, other)).status).toBe(404);
    expect((await start({}, world.accounts[0].token)).status).toBe(200);
    const { result } = await service.call<{ primary: { access: { secret: string } } }>(
      'POST',
      '/v1/tokens',
      { permission_set: 'viewer', resources: { organizations: { ids: ['*'] } } },
    );
    expect((await start({}, result.primary.access.secret)).status).toBe(403);
  });
});

describe('the token of a session', () => {
  it('creates one integration of its point, without its secrets, and is spent', async () => {
    const { token } = await started();
    const made = await create(token, { name: 'of-the-page' });
    expect([made.status, made.message]).toEqual([200, '']);
    expect(made.result.token.access.secret).toMatch(/\*{8}$/);
    const stored = await service.call<{ integration_point_id: string }>(
      'GET',
      `/v1/integrations/${accountId}/${made.result.integration.id}`,
    );
    expect(stored.result.integration_point_id).toBe(point);
    const [again, unknown] = [await create(token), await create('ofo_unknown')];
    expect([again.status, again.message]).toEqual([401, unknown.message]);
  });

  it('is named beside its call in the audit trail, with the person at the customer', async () => {
    const { session: made, token } = await started({ end_user: { id: 'user-9' } });
    const { result } = await create(token);
    const { result: records } = await service.call<Record<string, unknown>[]>(
      'GET',
      `/v1/audit/organizations?filter=${encodeURIComponent('code[eq]connect_session_used')}&order=${encodeURIComponent('created_at[desc]')}&limit=1`,
    );
    expect(records).toMatchObject([
      {
        audit_type: 'API',
        status: 'succeeded',
        account_id: accountId,
        integration_id: result.integration.id,
        body: { session_id: made.id, end_user_id: 'user-9' },
      },
    ]);
  });

  it('creates one integration of two calls at once', async () => {
    const { token } = await started();
    const both = await Promise.all([create(token), create(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('is not spent by a check or a refused integration', async () => {
    const { token } = await started();
    const check = await service.call(
      'POST',
      `/v1/integrations/${accountId}/verify`,
      { integration: creation() },
      token,
    );
    expect([check.status, check.message]).toEqual([200, '']);
    expect((await create(token, { name: 'near-one' })).status).toBe(409);
    expect((await create(token)).status).toBe(200);
  });

  it.each([
    [{ integration_point_id: null }, '/integration_point_id'],
    [{ integration_point_id: 'other-point' }, '/integration_point_id'],
    [{ provider_config: { type: 'edr_mock_edr' } }, '/provider_config/type'],
    [{ webhook_config: { items: [] } }, '/webhook_config'],
    [{ mappings: [] }, '/mappings'],
    [{ scheduled_operations: [] }, '/scheduled_operations'],
  ])('refuses %j at %s, and stays', async (body, pointer) => {
    await service.call('POST', '/v1/integration-points', {
      name: 'other-point',
      connector: 'ticketing',
      environments: { prod: ['*'], test: ['*'] },
    });
    const { token } = await started();
    const { status, message } = await create(token, body);
    expect([status, message.split(':')[0]]).toEqual([400, `body ${pointer}`]);
    expect((await session(token)).status).toBe(200);
  });

  it('sees the providers of its session alone', async () => {
    const { token } = await started({ providers: [mock] });
    const list = await service.call<{ id: string }[]>(
      'GET',
      '/v1/capabilities/providers',
      undefined,
      token,
    );
    expect(list.result.map(({ id }) => id)).toEqual([mock]);
    const other = await service.call(
      'GET',
      '/v1/capabilities/providers/edr_mock_edr',
      undefined,
      token,
    );
    expect(other.status).toBe(404);
    expect(other.message).not.toContain('crowdstrike');
  });

  // "The session token cannot read another account, another point's integration, members or audit, and cannot make any token."
  it('is refused by every other operation', async () => {
    const { token } = await started();
    const allowed: string[] = [];
    for (const operation of operations.values()) {
      if (operation.public || operation.state !== 'served') continue;
      const { status } = await send(service, operation, { path: pathOf(operation) }, token);
      if (status !== 403) allowed.push(`${operation.id} ${status}`);
    }
    expect(allowed.sort()).toEqual([
      'capabilities_get_provider 200',
      'capabilities_list_providers 200',
      'connect_begin_authorization 400',
      'connect_get_authorization 404',
      'connect_get_session 200',
      'integrations_create 400',
      'integrations_verify 400',
      'meta_management_openapi_spec 200',
    ]);
  });

  it('reaches no other account', async () => {
    const { token } = await started();
    const path = `/v1/integrations/${world.accounts[1].accountId}`;
    expect((await service.call('POST', path, creation(), token)).status).toBe(404);
  });

  it('ends when the host deletes the session, which is not another token', async () => {
    const { session: made, token } = await started();
    const remove = async (id: string) =>
      (await service.call('DELETE', `${sessions()}/${id}`)).status;
    expect(await remove(world.ids['refreshTokenId'] ?? '')).toBe(404);
    expect(await remove(made.id)).toBe(204);
    expect((await session(token)).status).toBe(401);
    expect(await remove(made.id)).toBe(404);
  });
});

describe('a link', () => {
  const open = async (token: string) =>
    await service.call<Made>('POST', '/v1/connect/session', undefined, token);

  it('opens a session once, and does nothing else', async () => {
    const link = await started({ link: true, ttl: '7d', providers: [mock], end_user: { id: 'u' } });
    const days = (Date.parse(link.session.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect(link.url).toContain(`/#link=${link.token}`);
    expect((await session(link.token)).status).toBe(403);
    expect((await create(link.token)).status).toBe(403);
    const opened = await open(link.token);
    expect([opened.status, opened.message]).toEqual([200, '']);
    const { id, expires_at, ...limits } = link.session;
    expect(opened.result.session).toMatchObject(limits);
    expect(opened.result.session.id).not.toBe(id);
    const minutes = (Date.parse(opened.result.session.expires_at) - Date.now()) / 60_000;
    expect([Math.round(minutes), expires_at]).toEqual([15, expires_at]);
    const [again, unknown] = [await open(link.token), await open('ofo_unknown')];
    expect([again.status, again.message]).toEqual([401, unknown.message]);
    expect((await create(opened.result.token)).status).toBe(200);
  });

  it('opens one session of two calls at once', async () => {
    const { token } = await started({ link: true });
    const both = await Promise.all([open(token), open(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('is not opened by other tokens', async () => {
    expect((await open((await started()).token)).status).toBe(403);
    expect((await open(service.administrator.access)).status).toBe(403);
  });
});

describe('a session that reconnects', () => {
  const integration = () => world.accounts[0].ids['integrationId'] ?? '';
  const path = (id = integration()) => `/v1/integrations/${accountId}/${id}`;
  const config = { op: 'replace', path: '/provider_config', value: { type: mock } };

  it('changes the configuration of its integration, which keeps its id and tokens, and is spent', async () => {
    const { token } = await started({ integration_id: integration() });
    const read = await service.call<Session>('GET', path(), undefined, token);
    expect([read.status, read.result['provider_type']]).toEqual([200, mock]);
    const body = { ...read.result, provider_config: { type: mock } };
    const verified = await service.call('POST', `${path()}/verify`, body, token);
    expect([verified.status, verified.message]).toEqual([200, '']);
    const patched = await service.call<Session>('PATCH', path(), [config], token);
    expect([patched.status, patched.message]).toEqual([200, '']);
    expect(patched.result['refresh_token_id']).toBe(read.result['refresh_token_id']);
    expect((await service.call('PATCH', path(), [config], token)).status).toBe(401);
    const tickets = await service.call(
      'GET',
      '/v1/ticketing/tickets',
      undefined,
      world.accounts[0].integration.access,
    );
    expect(tickets.status).toBe(200);
  });

  it.each([
    [{ op: 'add', path: '/webhook_config', value: { items: [] } }, '/0/path'],
    [{ op: 'test', path: '/mappings', value: [] }, '/0/path'],
    [{ op: 'copy', from: '/account_id', path: '/provider_config/x' }, '/0/from'],
    [{ ...config, path: '', value: {} }, '/0/path'],
    [{ ...config, value: { type: 'edr_mock_edr' } }, '/provider_config/type'],
  ])('refuses the patch %j', async (operation, pointer) => {
    const { token } = await started({ integration_id: integration() });
    const { status, message } = await service.call('PATCH', path(), [operation], token);
    expect([status, message.split(':')[0]]).toEqual([400, `body ${pointer}`]);
    expect((await session(token)).status).toBe(200);
  });

  it('sees neither other integrations nor what the host has set', async () => {
    const mappings = { op: 'add', path: '/mappings', value: [] };
    expect((await service.call('PATCH', path(), [mappings])).status).toBe(200);
    const { token } = await started({ integration_id: integration() });
    const { result } = await service.call<object>('GET', path(), undefined, token);
    expect(result).not.toHaveProperty('mappings');
    const other = await service.call<{ integration: { id: string } }>(
      'POST',
      `/v1/integrations/${accountId}`,
      creation(),
    );
    const id = other.result.integration.id;
    for (const [method, address, body] of [
      ['GET', path(id), undefined],
      ['PATCH', path(id), [config]],
      ['POST', `${path(id)}/verify`, undefined],
    ] as const)
      expect((await service.call(method, address, body, token)).status).toBe(404);
    expect((await create(token)).status).toBe(403);
  });

  it('is for an integration of the point, or for one of its domain that belongs to none', async () => {
    const createPoint = async (connector: string) => {
      const environments = { test: ['*'], prod: ['*'] };
      const body = { name: `other-${connector}`, connector, environments };
      return (await service.call<{ id: string }>('POST', '/v1/integration-points', body)).result.id;
    };
    const createIn = async (more: object) => {
      const path = `/v1/integrations/${accountId}`;
      const body = { provider_config: { type: mock }, ...more };
      const made = await service.call<{ integration: { id: string } }>('POST', path, body);
      return made.result.integration.id;
    };
    const alone = await createIn({});
    await started({ integration_id: alone });
    const ofOther = await createIn({ integration_point_id: await createPoint('ticketing') });
    const siem = await createPoint('siem');
    for (const body of [
      { integration_id: ofOther },
      { integration_id: alone, integration_point_id: siem },
    ]) {
      const { status, message } = await start(body);
      expect([status, message.split(':')[0]]).toEqual([400, 'body /integration_id']);
    }
  });
});

function pathOf(operation: Operation): Record<string, string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(
    names.map((name) => [name, own(world, world.accounts[0], operation, name) || 'x']),
  );
}
