import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { type Service, startService } from './service.js';

const mock = 'ticketing_mock_ticketing';
let service: Service;
let accountId: string;
let point: string;

const make = async <Result>(path: string, body: object): Promise<Result> => {
  const { status, message, result } = await service.call<Result>('POST', path, body);
  expect([status, message]).toEqual([200, '']);
  return result;
};
beforeAll(async () => {
  service = await startService();
  accountId = (await make<{ account: { id: string } }>('/v1/accounts', { name: 'a' })).account.id;
  const environments = { test: ['*'], prod: ['*'] };
  const body = { name: 'desk', connector: 'ticketing', environments };
  point = (await make<{ id: string }>('/v1/integration-points', body)).id;
});
afterAll(() => service.stop());

const integrate = async (): Promise<string> => {
  const body = { provider_config: { type: mock }, integration_point_id: point };
  const made = await make<{ integration: { id: string } }>(`/v1/integrations/${accountId}`, body);
  return made.integration.id;
};
const start = async (body: object) =>
  await service.call<{ token: string; session: { id: string; mode: string } }>(
    'POST',
    `/v1/connect/${accountId}/sessions`,
    { integration_point_id: point, ...body },
  );
const manage = async (integrationId: string, more: object = {}) =>
  (await start({ integration_id: integrationId, mode: 'manage', ...more })).result;
const remove = async (integrationId: string, token?: string) =>
  await service.call('DELETE', `/v1/integrations/${accountId}/${integrationId}`, undefined, token);

describe('a session that manages an integration', () => {
  it('says so, asks the provider, and deletes the integration, by which it is spent', async () => {
    const [mine, other] = [await integrate(), await integrate()];
    const { token, session } = await manage(mine, { end_user: { id: 'user-3' } });
    expect(session.mode).toBe('manage');
    const verify = `/v1/integrations/${accountId}/${mine}/verify`;
    expect((await service.call('POST', verify, undefined, token)).status).toBe(200);
    expect((await remove(other, token)).status).toBe(404);
    const removed = await remove(mine, token);
    expect([removed.status, removed.message]).toEqual([204, '']);
    await eventually(async () =>
      expect((await service.call('GET', '/v1/connect/session', undefined, token)).status).toBe(401),
    );
    await eventually(async () => expect((await remove(other, token)).status).toBe(401));
    expect((await remove(other)).status).toBe(204);
    const { result } = await service.call<object[]>(
      'GET',
      `/v1/audit/organizations?filter=${encodeURIComponent('code[eq]connect_session_used')}&filter=${encodeURIComponent('method[eq]DELETE')}&filter=${encodeURIComponent(`integration_id[eq]${mine}`)}`,
    );
    expect(result).toMatchObject([{ status: 'succeeded', body: { end_user_id: 'user-3' } }]);
  });

  it('is named beside each of its calls: reads, refused ones, and those that the gateway refuses', async () => {
    const { session: made, token } = await manage(await integrate(), {
      end_user: { id: 'user-10' },
    });
    const calls: [path: string, status: number][] = [
      ['/v1/connect/session', 200],
      ['/v1/capabilities/providers', 200],
      ['/v1/capabilities/providers/edr_mock_edr', 404],
      ['/v1/members', 403],
    ];
    for (const [path, status] of calls)
      expect([path, (await service.call('GET', path, undefined, token)).status]).toEqual([
        path,
        status,
      ]);
    const { result } = await service.call<
      { request_id: string; path: string; code: string; body?: { session_id?: string } }[]
    >('GET', `/v1/audit/organizations?order=${encodeURIComponent('created_at[desc]')}&limit=20`);
    const mine = result.filter(({ body }) => body?.session_id === made.id);
    for (const { code, body } of mine) {
      expect(code).toBe('connect_session_used');
      expect(body).toEqual({ session_id: made.id, end_user_id: 'user-10' });
    }
    // The record of the call itself says how it ended.
    const ends = mine.map(({ request_id, path }) => {
      const own = result.find((one) => one.request_id === request_id && /^\d+$/.test(one.code));
      return [path, Number(own?.code)];
    });
    expect(ends.toReversed()).toEqual(calls);
  });

  it('renews the access instead, by which it is spent too', async () => {
    const mine = await integrate();
    const { token } = await manage(mine);
    const patch = [{ op: 'replace', path: '/provider_config', value: { type: mock } }];
    const path = `/v1/integrations/${accountId}/${mine}`;
    expect((await service.call('PATCH', path, patch, token)).status).toBe(200);
    expect((await remove(mine, token)).status).toBe(401);
  });

  it('is opened by a link too', async () => {
    const mine = await integrate();
    const link = await manage(mine, { link: true });
    expect((await remove(mine, link.token)).status).toBe(403);
    const opened = await service.call<{ token: string; session: { mode: string } }>(
      'POST',
      '/v1/connect/session',
      undefined,
      link.token,
    );
    expect(opened.result.session.mode).toBe('manage');
    expect((await remove(mine, opened.result.token)).status).toBe(204);
  });

  it('is made for an integration by its mode alone: others delete nothing', async () => {
    const mine = await integrate();
    const reconnects = (await start({ integration_id: mine })).result;
    expect(reconnects.session.mode).toBe('reconnect');
    expect((await remove(mine, reconnects.token)).status).toBe(403);
    const creates = (await start({})).result;
    expect(creates.session.mode).toBe('create');
    expect((await remove(mine, creates.token)).status).toBe(403);
    for (const body of [
      { mode: 'manage' },
      { mode: 'reconnect' },
      { mode: 'create', integration_id: mine },
    ]) {
      const { status, message } = await start(body);
      expect([status, message.split(':')[0]]).toEqual([400, 'body /mode']);
    }
  });
});

describe('a session that creates', () => {
  const mapping = {
    resource: 'tickets',
    actions: ['query', 'read'],
    source: 'impact',
    destination: 'custom_fields.impact',
    data_type: 'string',
  };
  const recommended = { ...mapping, source: 'site', destination: 'custom_fields.site' };

  it('offers the optional additional mappings of its point, and takes no others', async () => {
    const environments = { test: ['*'], prod: ['*'] };
    const point_ = await make<{ id: string }>('/v1/integration-points', {
      name: 'with-fields',
      connector: 'ticketing',
      environments,
      additional_mappings: [
        { ...mapping, providers: ['*'] },
        { ...recommended, providers: ['*'], mapping_type: 'recommended' },
        { ...mapping, destination: 'custom_fields.x', providers: ['ticketing_linear'] },
      ],
    });
    const { token } = (await start({ integration_point_id: point_.id, providers: [mock] })).result;
    const { result } = await service.call<{ additional_mappings: object[] }>(
      'GET',
      '/v1/connect/session',
      undefined,
      token,
    );
    expect(result.additional_mappings).toMatchObject([{ ...mapping, providers: ['*'] }]);
    const create = async (chosen: object) =>
      await service.call<{ integration: { id: string } }>(
        'POST',
        `/v1/integrations/${accountId}`,
        {
          provider_config: { type: mock },
          integration_point_id: point_.id,
          additional_mappings: [chosen],
        },
        token,
      );
    for (const other of [{ ...mapping, source: 'secret' }, recommended]) {
      const { status, message } = await create(other);
      expect([status, message.split(':')[0]]).toEqual([400, 'body /additional_mappings/0']);
    }
    const made = await create(mapping);
    expect([made.status, made.message]).toEqual([200, '']);
    const stored = await service.call<{ additional_mappings: object[] }>(
      'GET',
      `/v1/integrations/${accountId}/${made.result.integration.id}`,
    );
    expect(stored.result.additional_mappings).toMatchObject([recommended, mapping]);
  });
});
