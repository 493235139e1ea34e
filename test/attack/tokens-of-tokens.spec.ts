import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { decide, operations } from '#contract';
import { addMember } from '../api/members.js';
import { type Service, startService } from '../api/service.js';

interface Pair {
  access: { secret: string; expires: string };
  refresh: { secret: string; expires: string };
}
interface Token {
  id: string;
  owner_id: string;
  expires: string;
  primary: Pair;
}

const mask = /\*{8}$/;
const anywhere = { organizations: { ids: ['*'] } };
const mock = { type: 'ticketing_mock_ticketing' };

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

/** Calls, and expects success. */
async function ask<Result>(method: string, path: string, body?: unknown, token?: string) {
  const { status, message, result } = await service.call<Result>(method, path, body, token);
  expect([method, path, status, message]).toEqual([method, path, 200, '']);
  return result;
}
const create = (permission_set: string, resources: object = anywhere, token?: string) =>
  ask<Token>('POST', '/v1/tokens', { permission_set, resources, token_ttl: '15m' }, token);
const connectUi = () =>
  create('connect-ui', {
    accounts: { ids: [accountId] },
    integrations: { categories: ['ticketing'] },
  });
const time = (text: string) => Date.parse(text);

/** Creates an administrator's token that expires in an hour. */
async function endsInAnHour(): Promise<Token> {
  const token = await create('administrator');
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ expires: Date }>(
    "update tokens set expires = now() + interval '1 hour' where id = $1 returning expires",
    [token.id],
  );
  await client.end();
  return { ...token, expires: rows[0]?.expires.toISOString() ?? '' };
}

describe('connect-ui, the permission set of a page in a browser', () => {
  it('permits what connecting an integration takes, and no token', () => {
    const caller = {
      tokenId: 'tok_1',
      scope: 'organization',
      organizationId: 'org_1',
      memberId: 'mem_1',
      permissions: [{ permissionSet: 'connect-ui', accounts: { ids: ['acc_1'] } }],
    } as const;
    const allowed = [...operations.values()].filter(
      (operation) =>
        !operation.public && operation.permission !== null && decide(caller, operation).allowed,
    );
    expect(allowed.map(({ id }) => id).sort()).toEqual([
      'accounts_get',
      'connect_begin_authorization',
      'connect_get_authorization',
      'credentials_create',
      'credentials_get',
      'credentials_list',
      'credentials_patch',
      'integrationPoints_get',
      'integrations_create',
      'integrations_delete',
      'integrations_get',
      'integrations_list_account',
      'integrations_patch',
      'integrations_update',
      'integrations_verify',
      'integrations_verify_existing',
    ]);
  });

  it('connects an integration without being given a secret of it', async () => {
    const page = (await connectUi()).primary.access.secret;
    const path = `/v1/integrations/${accountId}`;
    const made = await ask<{ integration: { id: string; refresh_token_id: string }; token: Pair }>(
      'POST',
      path,
      { name: 'by-the-page', provider_config: mock },
      page,
    );
    expect(made.token.access.secret).toMatch(mask);
    expect(made.token.refresh.secret).toMatch(mask);
    const { id, refresh_token_id: tokenId } = made.integration;
    for (const [method, address, body] of [
      ['POST', `/v1/tokens/${accountId}/${id}`, {}],
      ['PUT', `/v1/tokens/${tokenId}/refresh`],
      ['PUT', `/v1/tokens/${id}/${tokenId}/reset`],
      ['PUT', `/v1/tokens/${id}/${tokenId}/rotate`],
      ['POST', '/v1/tokens', { permission_set: 'connect-ui', resources: anywhere }],
      ['POST', '/v1/tokens/mcp', { scope: { type: 'developer', account_id: accountId } }],
    ] as const)
      expect([address, (await service.call(method, address, body, page)).status]).toEqual([
        address,
        403,
      ]);
    // The server of the page takes the pair itself.
    const pair = await ask<Token>('PUT', `/v1/tokens/${id}/${tokenId}/reset`);
    expect(pair.primary.access.secret).not.toMatch(mask);
  });

  it('leaves the pair of an integration to whoever may make its tokens', async () => {
    const manager = (await create('account-manager')).primary.access.secret;
    const body = { name: 'by-the-host', provider_config: mock };
    const made = await ask<{ token: Pair }>('POST', `/v1/integrations/${accountId}`, body, manager);
    expect(made.token.access.secret).not.toMatch(mask);
    const days = (time(made.token.refresh.expires) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(365);
  });
});

describe('a token that a token made', () => {
  it('expires no later than its maker, of whichever kind it is', async () => {
    const maker = await endsInAnHour();
    const secret = maker.primary.access.secret;
    const { integration } = await ask<{ integration: { id: string } }>(
      'POST',
      `/v1/integrations/${accountId}`,
      { name: 'short', provider_config: mock },
    );
    const maxLifetime = { token_ttl: '3650d' };
    const viewer = { permission_set: 'viewer', resources: anywhere, ...maxLifetime };
    const token = await ask<Token>('POST', '/v1/tokens', viewer, secret);
    const ofAccount = await ask<{ token: Token }>(
      'POST',
      '/v1/accounts',
      { name: 'of-account', token: { permission_set: 'viewer', ...maxLifetime } },
      secret,
    );
    const path = `/v1/tokens/${accountId}/${integration.id}`;
    const ofIntegration = await ask<{ expires: string }>('POST', path, maxLifetime, secret);
    const mcp = await ask<{ expires: string }>(
      'POST',
      '/v1/tokens/mcp',
      { scope: { type: 'developer', account_id: accountId }, token_ttl: '24h' },
      secret,
    );
    const organization = await ask<{ token: Pair }>('POST', '/v1/suborgs', {}, secret);
    const ends = [
      ...[token, ofAccount.token].flatMap(({ expires, primary: { access, refresh } }) => [
        expires,
        access.expires,
        refresh.expires,
      ]),
      ofIntegration.expires,
      mcp.expires,
      organization.token.access.expires,
      organization.token.refresh.expires,
    ];
    expect(ends.map(time)).toEqual(ends.map(() => time(maker.expires)));
  });

  it('is not prolonged past its maker by refresh or reset', async () => {
    const maker = await endsInAnHour();
    const made = await create('viewer', anywhere, maker.primary.access.secret);
    const refreshed = await ask<Token>(
      'PUT',
      `/v1/tokens/${made.id}/refresh`,
      undefined,
      made.primary.refresh.secret,
    );
    const reset = await ask<Token>(
      'PUT',
      `/v1/tokens/${made.owner_id}/${made.id}/reset`,
      undefined,
      refreshed.primary.refresh.secret,
    );
    expect([refreshed.expires, reset.expires].map(time)).toEqual([
      time(maker.expires),
      time(maker.expires),
    ]);
  });

  it('ends with whoever resets it, who is given its new secrets', async () => {
    const maker = await endsInAnHour();
    const made = await create('viewer', anywhere, maker.primary.access.secret);
    const path = `/v1/tokens/${made.owner_id}/${made.id}/reset`;
    const days = async (token?: string) =>
      Math.round(
        (time((await ask<Token>('PUT', path, undefined, token)).expires) - Date.now()) / 86_400_000,
      );
    expect(await days()).toBe(365); // The organization's administrator has the same lifetime.
    expect(await days(maker.primary.access.secret)).toBe(0);
  });

  it('of a session ends with the member, who may log on again', async () => {
    const name = 'somebody@example.com';
    const secret = 'correct horse battery staple';
    await addMember(service, name, { secret, options: { ttl: '30d' } });
    const { token } = await ask<{ token: Pair }>(
      'POST',
      '/v1/auth/logon/acme',
      { name, secret },
      '',
    );
    expect(time(token.refresh.expires) - Date.now()).toBeLessThanOrEqual(86_400_000);
    const wanted = { permission_set: 'viewer', resources: anywhere, token_ttl: '3650d' };
    const made = await ask<Token>('POST', '/v1/tokens', wanted, token.access.secret);
    expect(Math.round((time(made.expires) - Date.now()) / 86_400_000)).toBe(30);
  });
});
