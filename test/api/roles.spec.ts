import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import fc from 'fast-check';
import { type Caller, decide, operations, permissionSets, reaches } from '#contract';
import { hashToken } from '#secrets';
import { type Service, startService } from './service.js';

interface Shown {
  id: string;
  name: string;
  role_binding: string[];
  primary: { access: { secret: string } };
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
const ask = <T = Shown>(...call: Parameters<Service['call']>) => service.call<T>(...call);
const role = async (body: object) => {
  const answer = await ask('POST', '/v1/roles', body);
  expect([answer.status, answer.message]).toEqual([200, '']);
  return answer.result;
};
const member = async (name: string, role_binding: string[]) => {
  const body = { name: `${name}@example.com`, secret, role_binding };
  const { status, message, result } = await ask<{ member: Shown }>('POST', '/v1/members', body);
  expect([status, message]).toEqual([200, '']);
  return result.member;
};
const logon = async ({ name }: { name: string }) => {
  const path = `/v1/auth/logon/${service.administrator.organizationId}`;
  const answer = await ask<{ token: { access: { secret: string } }; refresh_token_id: string }>(
    'POST',
    path,
    { name, secret },
    '',
  );
  expect([answer.status, answer.message]).toEqual([200, '']);
  return { token: answer.result.token.access.secret, id: answer.result.refresh_token_id };
};
const operators = { ids: ['*'], labels: ['emea'] };

describe('roles', () => {
  it('are created, found by id and name, listed, changed and deleted', async () => {
    const body = { fullname: 'EMEA operators', permission_set: 'account-manager' };
    const made = await role({ ...body, resources: { accounts: operators } });
    expect(made).toMatchObject({ ...body, name: 'emea-operators' });
    for (const key of [made.id, made.name])
      expect((await ask('GET', `/v1/roles/${key}`)).result).toEqual(made);
    const patch = [{ op: 'add', path: '/description', value: 'Operators of EMEA' }];
    const patched = await ask('PATCH', `/v1/roles/${made.id}`, patch);
    expect(patched.result).toMatchObject({
      description: 'Operators of EMEA',
      resources: { accounts: operators },
    });
    const put = await ask('PUT', `/v1/roles/${made.id}`, { ...made, permission_set: 'viewer' });
    expect(put.result).toMatchObject({ permission_set: 'viewer' });
    const listed = await ask<Shown[]>('GET', '/v1/roles?filter=permission_set[eq]viewer');
    expect(listed.result.map(({ id }) => id)).toEqual([made.id]);
    expect((await ask('DELETE', `/v1/roles/${made.id}`)).status).toBe(204);
    expect((await ask('GET', `/v1/roles/${made.id}`)).status).toBe(404);
  });

  it.each([
    ['the name of a built-in role', { name: 'viewer', permission_set: 'viewer' }, '/name'],
    [
      'an account that is not there',
      { permission_set: 'viewer', resources: { accounts: { ids: ['nowhere'] } } },
      '/resources/accounts/ids/0',
    ],
    [
      'another organization',
      { permission_set: 'viewer', resources: { organizations: { ids: ['org_other'] } } },
      '/resources/organizations/ids/0',
    ],
  ])('refuse %s', async (_what, body, place) => {
    const { status, message } = await ask('POST', '/v1/roles', body);
    expect([status, message.split(':')[0]]).toEqual([400, `body ${place}`]);
  });

  it('keep their members when they are renamed', async () => {
    const made = await role({ name: 'before', permission_set: 'viewer' });
    const one = await member('renamed', ['before']);
    const patch = [{ op: 'replace', path: '/name', value: 'after' }];
    expect((await ask('PATCH', `/v1/roles/${made.id}`, patch)).status).toBe(200);
    expect((await ask('GET', `/v1/members/${one.id}`)).result.role_binding).toEqual(['after']);
  });

  it('"Deleting a Role also deletes its tokens": sessions bound by it, and no others; members lose it', async () => {
    const made = await role({ name: 'leaving', permission_set: 'account-manager' });
    await role({ name: 'staying', permission_set: 'viewer' });
    const [bound, free] = [
      await member('bound', ['leaving', 'viewer']),
      await member('free', ['staying']),
    ];
    const [gone, kept] = [await logon(bound), await logon(free)];
    expect((await ask('DELETE', `/v1/roles/${made.id}`)).status).toBe(204);
    expect((await ask('GET', `/v1/tokens/${gone.id}/info`)).status).toBe(404);
    expect((await ask('GET', `/v1/tokens/${kept.id}/info`)).status).toBe(200);
    expect((await ask('GET', `/v1/members/${bound.id}`)).result.role_binding).toEqual(['viewer']);
    // A later role of the same name is a different one.
    await role({ name: 'leaving', permission_set: 'administrator' });
    const { token } = await logon(bound);
    expect((await ask('POST', '/v1/accounts', {}, token)).status).toBe(403);
  });
});

describe('a member whose role reaches accounts with a label', () => {
  it('cannot create an account or move one outside of their accounts', async () => {
    const accounts = { ...operators, environments: ['prod', 'test'] };
    await role({ name: 'labelled', permission_set: 'account-manager', resources: { accounts } });
    const { token } = await logon(await member('labelled', ['labelled']));
    const created = async (body: object) => (await ask('POST', '/v1/accounts', body, token)).status;
    expect(await created({ name: 'unlabelled' })).toBe(403);
    expect(await created({ name: 'of-others', labels: ['us'] })).toBe(403);
    expect(await created({ name: 'of-his', labels: ['emea', 'us'] })).toBe(200);
    const move = [{ op: 'replace', path: '/labels', value: ['us'] }];
    expect((await ask('PATCH', '/v1/accounts/of-his', move, token)).status).toBe(403);
  });
});

describe('no role, member or token is wider than its maker', () => {
  it('for a token that a member made: it narrows with the roles of the member', async () => {
    const made = await role({
      name: 'maker',
      permission_set: 'account-manager',
      resources: { accounts: operators },
    });
    const { token } = await logon(await member('maker', ['maker']));
    const wanted = { permission_set: 'account-manager', resources: { accounts: operators } };
    const { status, result } = await ask('POST', '/v1/tokens', wanted, token);
    expect(status).toBe(200);
    const child = result.primary.access.secret;
    expect(
      (await ask('POST', '/v1/accounts', { name: 'by-child', labels: ['emea'] }, child)).status,
    ).toBe(200);
    for (const wider of [
      { permission_set: 'administrator', resources: { accounts: operators } },
      { permission_set: 'account-manager', resources: { accounts: { ids: ['*'] } } },
      { permission_set: 'account-manager', resources: { organizations: { ids: ['*'] } } },
      {
        permission_set: 'account-manager',
        resources: { accounts: { ids: ['*'], labels: ['us'] } },
      },
    ])
      expect((await ask('POST', '/v1/tokens', wider, token)).status).toBe(403);
    const narrower = [{ op: 'replace', path: '/permission_set', value: 'viewer' }];
    expect((await ask('PATCH', `/v1/roles/${made.id}`, narrower)).status).toBe(200);
    await eventually(async () => {
      const { status } = await ask('POST', '/v1/accounts', { labels: ['emea'] }, child);
      expect(status).toBe(403);
    });
  });

  it('for all domains, which * names', async () => {
    const resources = { accounts: { ids: ['*'] }, integrations: { categories: ['*'] } };
    const made = await role({ name: 'all-domains', permission_set: 'viewer', resources });
    expect(made).toMatchObject({ resources });
    const { token } = await logon(await member('all-domains', ['all-domains']));
    const own = await ask<{ grants: object[] }>('GET', '/v1/tokens/self/info', undefined, token);
    expect(own.result.grants).toMatchObject([{ permission_set: 'viewer', categories: null }]);
    const wrong = {
      permission_set: 'viewer',
      resources: { integrations: { categories: ['all'] } },
    };
    expect((await ask('POST', '/v1/roles', wrong)).status).toBe(400);
  });

  it('for an administrator of one domain, who cannot bind or create roles of another', async () => {
    const tickets = { organizations: { ids: ['*'] }, integrations: { categories: ['ticketing'] } };
    await role({ name: 'ticket-admin', permission_set: 'administrator', resources: tickets });
    const { token } = await logon(await member('ticket-admin', ['ticket-admin']));
    const create = (body: object) => ask('POST', '/v1/roles', body, token);
    expect((await create({ name: 'wide', permission_set: 'viewer' })).status).toBe(403);
    expect(
      (await create({ name: 'fits', permission_set: 'administrator', resources: tickets })).status,
    ).toBe(200);
    const body = { name: 'x@example.com', secret, role_binding: ['administrator'] };
    expect((await ask('POST', '/v1/members', body, token)).status).toBe(403);
    const { memberId } = service.administrator;
    const patch = [{ op: 'replace', path: '/fullname', value: 'Mine now' }];
    expect((await ask('PATCH', `/v1/members/${memberId}`, patch, token)).status).toBe(403);
  });
});

describe('tokens made one from another', () => {
  const limit = fc.oneof(
    fc.constant({ organizations: { ids: ['*'] } }),
    fc.record(
      {
        accounts: fc.record(
          {
            ids: fc.constantFrom(['*'], ['property-a'], ['property-a', 'property-b']),
            labels: fc.constantFrom(['emea'], ['emea', 'us']),
            environments: fc.constantFrom(['prod'], ['test', 'prod']),
          },
          { requiredKeys: ['ids'] },
        ),
        integrations: fc.record({ categories: fc.constantFrom(['ticketing'], ['*']) }),
      },
      { requiredKeys: ['accounts'] },
    ),
  );
  const wanted = fc.record({
    permission_set: fc.constantFrom(
      ...(Object.keys(permissionSets) as (keyof typeof permissionSets)[]),
    ),
    resources: limit,
  });
  /** Returns the data that the gateway gets about a token. */
  const callerOf = async (token: string): Promise<Caller> => {
    const found = await service.bus.call('tokens.introspect', { hash: hashToken(token) });
    return (found as { caller: Caller }).caller;
  };

  it('never permit an operation, or reach an account, that their maker does not', async () => {
    for (const name of ['property-a', 'property-b']) await ask('POST', '/v1/accounts', { name });
    const accounts = ['acc_x', 'acc_y'].flatMap((id) =>
      [[], ['emea'], ['us']].flatMap((labels) =>
        ['test', 'prod'].map((environment) => ({ id, labels, environment })),
      ),
    );
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(wanted, { minLength: 2, maxLength: 4 }), async (chain) => {
        let maker = service.administrator.access;
        for (const body of chain) {
          const { status, result } = await ask('POST', '/v1/tokens', body, maker);
          // 400: an account that the caller cannot access is treated as unknown.
          expect([200, 400, 403]).toContain(status);
          if (status !== 200) return;
          made += 1;
          const child = result.primary.access.secret;
          const [inner, outer] = [await callerOf(child), await callerOf(maker)];
          for (const operation of operations.values()) {
            const [small, large] = [decide(inner, operation), decide(outer, operation)];
            if (!small.allowed || operation.permission === null) continue;
            expect([operation.id, large.allowed]).toEqual([operation.id, true]);
            if (!large.allowed) continue;
            for (const account of accounts)
              if (reaches(small.accounts, account, 'siem'))
                expect(reaches(large.accounts, account, 'siem')).toBe(true);
          }
          maker = child;
        }
      }),
      { numRuns: 60 },
    );
    expect(made).toBeGreaterThan(20);
  });
});

describe('permission sets', () => {
  it('are the built-in ones, and say what they permit', async () => {
    const { result } = await ask<Shown[]>('GET', '/v1/permissionsets');
    expect(result.map(({ name }) => name)).toEqual(Object.keys(permissionSets));
    const one = await ask('GET', '/v1/permissionsets/account-manager');
    expect(one.result).toMatchObject({ permissions: { accounts: { actions: ['*'] } } });
    const operationsOf = (set: string) => result.find(({ name }) => name === set)?.['operations'];
    expect(operationsOf('account-manager')).toEqual(
      expect.arrayContaining(['accounts_create', 'credentials_list_all', 'mappings_list']),
    );
    expect(operationsOf('account-manager')).not.toContain('mappings_create');
    expect(operationsOf('viewer')).toEqual(expect.arrayContaining(['accounts_list', 'audit_list']));
    expect(operationsOf('viewer')).not.toContain('accounts_create');
    expect(operationsOf('mcp-management')).toContain('integrations_create');
    for (const none of ['tokens_create_token', 'credentials_create', 'members_list'])
      expect(operationsOf('mcp-management')).not.toContain(none);
    const limited = result.find(({ name }) => name === 'administrator');
    expect(limited?.['operations_in_accounts']).toContain('accounts_create');
    expect(limited?.['operations_in_accounts']).not.toContain('members_list');
    expect(limited?.['operations_in_domains']).toContain('members_list');
    expect(limited?.['operations_in_domains']).not.toContain('billing_list');
    expect((await ask('GET', '/v1/permissionsets/superman')).status).toBe(404);
  });
});

describe('a role limited to a domain of integrations', () => {
  it('reaches integrations of it, what belongs to them, and no others, in every account', async () => {
    const resources = {
      organizations: { ids: ['*'] },
      integrations: { categories: ['ticketing'] },
    };
    await role({ name: 'ticket-desk', permission_set: 'administrator', resources });
    const { token } = await logon(await member('ticket-desk', ['ticket-desk']));
    const { account } = (
      await ask<{ account: Shown }>('POST', '/v1/accounts', { name: 'categories' })
    ).result;
    const path = `/v1/integrations/${account.id}`;
    const integrations: Shown[] = [];
    for (const type of ['ticketing_mock_ticketing', 'siem_mock_siem']) {
      const body = { name: type.split('_')[0], provider_config: { type } };
      const made = await ask<{ integration: Shown }>('POST', path, body);
      expect([made.status, made.message]).toEqual([200, '']);
      integrations.push(made.result.integration);
    }
    const [tickets, notes] = integrations as [Shown, Shown];
    const status = async (method: string, at: string, body?: unknown) =>
      (await ask(method, at, body, token)).status;
    const listed = await ask<Shown[]>('GET', '/v1/integrations?total=true', undefined, token);
    expect(listed.result.map(({ id }) => id)).toEqual([tickets.id]);
    expect(await status('GET', `${path}/${tickets.id}`)).toBe(200);
    expect(await status('GET', `${path}/${notes.id}`)).toBe(404);
    expect(await status('GET', `/v1/status/${account.id}/${notes.id}`)).toBe(404);
    expect(await status('POST', `/v1/tokens/${account.id}/${notes.id}`, {})).toBe(404);
    expect(await status('GET', `/v1/tokens/${String(notes['refresh_token_id'])}/info`)).toBe(404);
    expect(await status('GET', `/v1/tokens/${String(tickets['refresh_token_id'])}/info`)).toBe(200);
    expect(await status('GET', `/v1/credentials/${notes.id}`)).toBe(404);
    const body = { provider_config: { type: 'siem_mock_siem' } };
    expect(await status('POST', path, body)).toBe(403);
    expect(await status('DELETE', `/v1/accounts/${account.id}`)).toBe(403);
    expect(await status('GET', '/v1/billing')).toBe(403);
    expect(await status('GET', '/v1/status/timeseries')).toBe(200);
    expect((await ask('DELETE', `${path}/${notes.id}`)).status).toBe(204);
    expect(await status('DELETE', `/v1/accounts/${account.id}`)).toBe(204);
  });
});
