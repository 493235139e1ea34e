import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import pg from 'pg';
import { type Service, startService } from './service.js';

interface Shown {
  id: string;
  name: string;
  role_binding: string[];
  [field: string]: unknown;
}

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

const secret = 'correct horse battery';
const ask: Service['call'] = (...call) => service.call(...call);
const create = (body: object) => ask<{ member: Shown }>('POST', '/v1/members', { secret, ...body });
const created = async (body: object) => {
  const answer = await create(body);
  expect([answer.status, answer.message]).toEqual([200, '']);
  return answer.result.member;
};
const patch = (id: string, path: string, value: unknown) =>
  ask<Shown>('PATCH', `/v1/members/${id}`, [{ op: 'replace', path, value }]);
const logon = async (name: string) => {
  const path = `/v1/auth/logon/${service.administrator.organizationId}`;
  const { result } = await ask<{ token: { access: { secret: string } } }>(
    'POST',
    path,
    { name, secret },
    '',
  );
  return result.token.access.secret;
};

describe('members', () => {
  it('are created with the defaults of the contract, and found by id and by name', async () => {
    const member = await created({ name: 'Ada@Example.com' });
    expect(member).toMatchObject({
      name: 'ada@example.com',
      fullname: 'ada@example.com',
      type: 'personal',
      state: 'enabled',
      role_binding: ['member'],
      ttl: '87600h',
      token_ttl: '1h',
      last_logon: '1970-01-01T00:00:00.000Z',
    });
    for (const key of [member.id, 'ada@example.com'])
      expect((await ask<Shown>('GET', `/v1/members/${key}`)).result.id).toBe(member.id);
  });

  it('never show their password', async () => {
    const member = await created({ name: 'secretive@example.com', secret: 'hunter2 hunter2' });
    const shown = [
      await ask('GET', `/v1/members/${member.id}`),
      await ask('GET', '/v1/members'),
      await patch(member.id, '/nickname', 'x'),
    ];
    expect(JSON.stringify([member, shown])).not.toMatch(/hunter2|argon2/);
  });

  it.each([
    ['a personal name that is not an e-mail address', { name: 'ada' }, '/name'],
    ['a service name that is none', { name: 'a b', type: 'service' }, '/name'],
    ['a short password', { name: 'a@example.com', secret: 'short' }, '/secret'],
    ['a long password', { name: 'a@example.com', secret: 'x'.repeat(73) }, '/secret'],
    ['a role nobody made', { name: 'a@example.com', role_binding: ['nobody'] }, '/role_binding/0'],
    [
      'a session of two days for a person',
      { name: 'a@example.com', options: { token_ttl: '2d' } },
      '/options/token_ttl',
    ],
    ['a life of an hour', { name: 'a@example.com', options: { ttl: '1h' } }, '/options/ttl'],
  ])('refuse %s', async (_what, body, place) => {
    const { status, message } = await create(body);
    expect([status, message.split(':')[0]]).toEqual([400, `body ${place}`]);
  });

  it('keep their names to themselves', async () => {
    await created({ name: 'twice@example.com' });
    expect((await create({ name: 'TWICE@example.com' })).status).toBe(409);
  });

  it('are listed with filter, order and pages', async () => {
    for (const name of ['list-a', 'list-b', 'list-c'])
      await created({ name, type: 'service', options: { token_ttl: '90d' } });
    const list = async (query: string) =>
      (await ask<Shown[]>('GET', `/v1/members?filter=name[like]list-%25${query}`)).result.map(
        ({ name }) => name,
      );
    expect(await list('&limit=2')).toEqual(['list-a', 'list-b']);
    expect(await list('&start_after=list-b')).toEqual(['list-c']);
    expect(await list('&order=name[desc]&limit=1')).toEqual(['list-c']);
    expect(await list('&filter=type[eq]personal')).toEqual([]);
    await created({ name: 'list-d', type: 'service', role_binding: ['viewer', 'member'] });
    expect(await list('&filter=role_binding[eq]viewer')).toEqual(['list-d']);
    expect(await list('&filter=role_binding[neq]viewer')).toEqual(['list-a', 'list-b', 'list-c']);
    expect(await list('&order=last_logon&limit=2')).toEqual(['list-a', 'list-b']);
    expect(await list('&order=last_logon&start_after=list-b')).toEqual(['list-c', 'list-d']);
  });

  it('are changed by PUT and PATCH, but for what the service writes', async () => {
    const member = await created({ name: 'changing@example.com' });
    const put = await ask<Shown>('PUT', `/v1/members/${member.id}`, { ...member, nickname: 'Ch' });
    expect(put.result).toMatchObject({ nickname: 'Ch' });
    for (const field of ['id', 'created_at', 'updated_at', 'last_logon'])
      expect((await patch(member.id, `/${field}`, '2020-01-01T00:00:00Z')).status).toBe(400);
    expect((await patch(member.id, '/type', 'service')).status).toBe(400);
    const ends = new Date(Date.now() + 86_400_000).toISOString();
    expect((await patch(member.id, '/expires', ends)).result['expires']).toBe(ends);
  });

  it('have the state from before a lock when the lock has ended, wherever they are read or changed', async () => {
    const lock = async (name: string) => {
      const member = await created({ name: `${name}@example.com`, nickname: 'lock' });
      const client = new pg.Client({ connectionString: service.databaseUrl });
      await client.connect();
      await client.query(
        `update members set state = 'locked', state_before_lock = 'enabled', locked_until = now() - interval '1 second'
          where id = $1`,
        [member.id],
      );
      await client.end();
      return `/v1/members/${member.id}`;
    };
    const filters = 'filter=nickname[eq]lock&filter=state[eq]';
    const stateOf = async (path: string) => (await ask<Shown>('GET', path)).result['state'];
    await lock('list-locked');
    expect((await ask<Shown[]>('GET', `/v1/members?${filters}locked`)).result).toEqual([]);
    expect((await ask<Shown[]>('GET', `/v1/members?${filters}enabled`)).result).toHaveLength(1);
    expect(await stateOf(await lock('get-locked'))).toBe('enabled');
    const patched = await lock('patch-locked');
    const body = [{ op: 'replace', path: '/fullname', value: 'Patched' }];
    expect((await ask('PATCH', patched, body)).result).toMatchObject({ state: 'enabled' });
    expect(await stateOf(patched)).toBe('enabled');
  });

  it('leave the organization an administrator', async () => {
    const { memberId } = service.administrator;
    for (const attempt of [
      patch(memberId, '/state', 'disabled'),
      patch(memberId, '/role_binding', ['viewer']),
      ask('DELETE', `/v1/members/${memberId}`),
    ])
      expect((await attempt).status).toBe(409);
    const second = await created({ name: 'second@example.com', role_binding: ['administrator'] });
    const undone = await patch(second.id, '/role_binding', ['administrator']);
    expect(undone.status).toBe(200);
  });
});

it('two administrators who delete one another at the same moment leave one', async () => {
  const { access, memberId } = await service.organization('duel');
  const body = { name: 'duel@example.com', secret, role_binding: ['administrator'] };
  const made = await ask<{ member: Shown }>('POST', '/v1/members', body, access);
  const ids = [memberId, made.result.member.id];
  const answers = await Promise.all(
    ids.map((id) => ask('DELETE', `/v1/members/${id}`, undefined, access)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
});

describe('a member who may not act', () => {
  it('has tokens that are refused while the member is disabled, and after the member has expired', async () => {
    const member = await created({ name: 'off@example.com', role_binding: ['administrator'] });
    const token = await ask<{ primary: { access: { secret: string } } }>(
      'POST',
      '/v1/tokens',
      { permission_set: 'viewer', resources: { organizations: { ids: ['*'] } } },
      await logon(member.name),
    );
    const { secret: made } = token.result.primary.access;
    const becomes = (wanted: number) =>
      eventually(async () => {
        expect(await ask('GET', '/v1/accounts', undefined, made)).toMatchObject({ status: wanted });
      });
    await becomes(200);
    await patch(member.id, '/state', 'disabled');
    await becomes(401);
    await patch(member.id, '/state', 'enabled');
    await becomes(200);
    await patch(member.id, '/expires', new Date(Date.now() - 1_000).toISOString());
    await becomes(401);
  });
});

describe('deleting a member', () => {
  it('deletes the sessions of the member and the tokens in their name; tokens of integrations stay', async () => {
    const member = await created({ name: 'leaver@example.com', role_binding: ['administrator'] });
    const session = await logon(member.name);
    const made = await ask<{ id: string }>(
      'POST',
      '/v1/tokens',
      { permission_set: 'viewer', resources: { organizations: { ids: ['*'] } } },
      session,
    );
    const account = await ask<{ account: { id: string } }>(
      'POST',
      '/v1/accounts',
      { name: 'leavers' },
      session,
    );
    const integration = await ask<{ integration: { refresh_token_id: string } }>(
      'POST',
      `/v1/integrations/${account.result.account.id}`,
      { name: 'stays', provider_config: { type: 'ticketing_mock_ticketing' } },
      session,
    );
    expect((await ask('DELETE', `/v1/members/${member.id}`)).status).toBe(204);
    const { result } = await ask<{ id: string; member_id: string }[]>(
      'GET',
      `/v1/tokens?filter=member_id[eq]${member.id}`,
    );
    expect(result.map(({ id }) => id)).toEqual([integration.result.integration.refresh_token_id]);
    expect((await ask('GET', `/v1/tokens/${made.result.id}/info`)).status).toBe(404);
    expect((await ask('GET', `/v1/accounts/leavers`)).status).toBe(200);
  });
});
