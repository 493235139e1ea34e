import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { hashToken } from '#secrets';
import { type Service, startService } from './service.js';

interface Pair {
  access: { secret: string };
  refresh: { secret: string };
}
interface Shown {
  id: string;
  owner_id: string;
  primary: Pair;
  secondary?: Pair;
}

interface Dated {
  id: string;
  expires: string;
  primary: { access: { expires: string }; refresh: { expires: string } };
}

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

const ask: Service['call'] = (...call) => service.call(...call);
const create = async () =>
  (
    await ask<Shown>('POST', '/v1/tokens', {
      permission_set: 'viewer',
      resources: { organizations: { ids: ['*'] } },
    })
  ).result;
/** Creates an account with a token limited to it. */
const createAccount = async (name: string, permission_set = 'account-manager') =>
  (
    await ask<{ account: { id: string }; token: Shown }>('POST', '/v1/accounts', {
      name,
      token: { permission_set },
    })
  ).result;
const createIntegration = async (accountId: string, name: string) =>
  (
    await ask<{ integration: { id: string; refresh_token_id: string }; token: Pair }>(
      'POST',
      `/v1/integrations/${accountId}`,
      { name, provider_config: { type: 'ticketing_mock_ticketing' } },
    )
  ).result;
const status = async (method: string, path: string, token: string, body?: unknown) =>
  (await service.call(method, path, body, token)).status;
const works = async (token: string) => (await status('GET', '/v1/accounts', token)) === 200;
/** Waits until the gateway refuses a token: a change reaches it a moment after the response. */
const stops = (token: string) => eventually(async () => expect(await works(token)).toBe(false));

describe('the rules of the specification on tokens', () => {
  it('"Every token is created as a TokenPair with an access token and a refresh token"', async () => {
    const { primary, secondary } = await create();
    expect(primary.access.secret).toMatch(/^ofo_/);
    expect(primary.refresh.secret).not.toBe(primary.access.secret);
    expect(secondary).toBeUndefined();
  });

  it('"the refresh token is used only to refresh or reset the access token"', async () => {
    const { id, owner_id, primary } = await create();
    const secret = primary.refresh.secret;
    for (const [method, path] of [
      ['GET', '/v1/accounts'],
      ['GET', '/v1/tokens'],
      ['GET', `/v1/tokens/${id}/info`],
      ['PUT', `/v1/tokens/${owner_id}/${id}/rotate`],
      ['DELETE', `/v1/tokens/${id}/secondary`],
      ['DELETE', `/v1/tokens/${id}`],
    ] as const)
      expect([path, await status(method, path, secret)]).toEqual([path, 401]);
    expect(await status('PUT', `/v1/tokens/${id}/refresh`, secret)).toBe(200);
    expect(await status('PUT', `/v1/tokens/${owner_id}/${id}/reset`, secret)).toBe(200);
  });

  it('"Two token scopes exist and do not overlap"', async () => {
    const { account } = await createAccount('scopes');
    const { token } = await createIntegration(account.id, 'scopes');
    expect(token.access.secret).toMatch(/^ofi_/);
    expect(await status('GET', '/v1/accounts', token.access.secret)).toBe(403);
    const { access } = service.administrator;
    expect(await status('GET', '/v1/ticketing/tickets', access)).toBe(403);
  });

  it('"Integration tokens are created and returned when an Integration is first initialized"', async () => {
    const { account } = await createAccount('initialized');
    const { integration, token } = await createIntegration(account.id, 'initialized');
    const info = await ask<Shown>('GET', `/v1/tokens/${integration.refresh_token_id}/info`);
    expect(info.result).toMatchObject({ owner_type: 'integration', owner_id: integration.id });
    expect(JSON.stringify(info)).not.toContain(token.access.secret);
    expect(JSON.stringify(info)).not.toContain(token.refresh.secret);
  });

  it('"the token secret is returned once and cannot be retrieved again"', async () => {
    const { token } = await createAccount('once');
    const shown = [
      await service.call('GET', '/v1/tokens'),
      await service.call('GET', `/v1/tokens/${token.id}/info`),
    ];
    for (const answer of shown) {
      expect(JSON.stringify(answer)).toContain(token.id);
      expect(JSON.stringify(answer)).not.toContain(token.primary.access.secret);
      expect(JSON.stringify(answer)).not.toContain(token.primary.refresh.secret);
    }
  });

  it('"a token scoped to the new Account is created in the same transaction": neither without the other', async () => {
    const { status: refused } = await service.call('POST', '/v1/accounts', {
      name: 'never',
      token: { permission_set: 'viewer', token_ttl: 'soon' },
    });
    expect(refused).toBe(400);
    expect((await service.call('GET', '/v1/accounts/never')).status).toBe(404);
  });

  it('"tokens scoped to the Account are not revoked, remain listed under GET /v1/tokens, and must be deleted by an organization administrator"', async () => {
    const { account, token } = await createAccount('leaving');
    const { integration, token: inner } = await createIntegration(account.id, 'leaving');
    expect((await service.call('DELETE', `/v1/accounts/${account.id}`)).status).toBe(204);
    const { result: listed } = await ask<Shown[]>('GET', '/v1/tokens');
    const ids = listed.map(({ id }) => id);
    expect(ids).toContain(token.id);
    expect(ids).not.toContain(integration.refresh_token_id);
    const left = await ask<unknown[]>(
      'GET',
      '/v1/accounts',
      undefined,
      token.primary.access.secret,
    );
    expect([left.status, left.result]).toEqual([200, []]);
    expect(await status('GET', '/v1/ticketing/tickets', inner.access.secret)).toBe(401);
    expect((await service.call('DELETE', `/v1/tokens/${token.id}`)).status).toBe(204);
    await stops(token.primary.access.secret);
  });
});

describe('a token pair', () => {
  it('is renewed by rotate for administrators: the primary moves to the secondary, which is dropped', async () => {
    const first = await create();
    const path = `/v1/tokens/${first.owner_id}/${first.id}/rotate`;
    expect(await status('PUT', path, first.primary.access.secret)).toBe(403);
    const { result: second } = await ask<Shown>('PUT', path);
    expect(await works(first.primary.access.secret)).toBe(true);
    const { result: third } = await ask<Shown>('PUT', path);
    await stops(first.primary.access.secret);
    for (const { primary } of [second, third])
      expect(await works(primary.access.secret)).toBe(true);
    const stranger = `/v1/tokens/int_someone/${first.id}/rotate`;
    expect((await service.call('PUT', stranger)).status).toBe(404);
  });

  it('is void altogether after reset, but for what reset gives out', async () => {
    const first = await create();
    const refreshed = await ask<Shown>('PUT', `/v1/tokens/${first.id}/refresh`);
    const { result: anew } = await ask<Shown>(
      'PUT',
      `/v1/tokens/${first.owner_id}/${first.id}/reset`,
    );
    expect(anew.secondary).toBeUndefined();
    await stops(first.primary.access.secret);
    await stops(refreshed.result.primary.access.secret);
    expect(await works(anew.primary.access.secret)).toBe(true);
  });

  it('ends when its record ends, not before and not after, however long it is to live', async () => {
    const ends = ({ expires, primary: { access, refresh } }: Dated) =>
      [expires, access.expires, refresh.expires].map((time) => Date.parse(time));
    const maker = await service.administratorToken('3650d');
    const wanted = {
      permission_set: 'viewer',
      resources: { organizations: { ids: ['*'] } },
      token_ttl: '3650d',
    };
    const { result: long } = await ask<Dated>('POST', '/v1/tokens', wanted, maker.access);
    const days = (milliseconds: number) => Math.round((milliseconds - Date.now()) / 86_400_000);
    expect(ends(long).map(days)).toEqual([3_650, 3_650, 3_650]);
    const { result: refreshed } = await ask<Dated>('PUT', `/v1/tokens/${long.id}/refresh`);
    const [record, access] = ends(refreshed);
    expect(record).toBe(Date.parse(long.expires));
    expect(access).toBeLessThanOrEqual(record ?? 0);
  });

  it('loses its secondary at once when that is removed', async () => {
    const first = await create();
    const { result: second } = await ask<Shown>('PUT', `/v1/tokens/${first.id}/refresh`);
    expect((await service.call('DELETE', `/v1/tokens/${first.id}/secondary`)).status).toBe(204);
    await stops(first.primary.access.secret);
    expect(await works(second.primary.access.secret)).toBe(true);
  });

  it('survives two refreshes with one secret at the same moment, as clients that retry make them', async () => {
    const first = await create();
    const path = `/v1/tokens/${first.id}/refresh`;
    const secret = first.primary.refresh.secret;
    const answers = await Promise.all([
      ask<Shown>('PUT', path, undefined, secret),
      ask<Shown>('PUT', path, undefined, secret),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    for (const { result } of answers) expect(await works(result.primary.access.secret)).toBe(true);
  });

  it('leaves two pairs working, however many rotations run at the same moment', async () => {
    const first = await create();
    const path = `/v1/tokens/${first.owner_id}/${first.id}/rotate`;
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask<Shown>('PUT', path)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const working = [];
    for (const { result } of answers) working.push(await works(result.primary.access.secret));
    expect(working.filter(Boolean)).toHaveLength(2);
  });

  it('of an integration is renewed many times at once, with fewer connections than calls', async () => {
    const { account } = await createAccount('busy');
    const paths: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const { integration } = await createIntegration(account.id, `busy-${index}`);
      paths.push(`/v1/tokens/${integration.refresh_token_id}/refresh`);
    }
    const answers = await Promise.all(paths.map((path) => service.call('PUT', path)));
    expect(answers.map((answer) => answer.status)).toEqual(paths.map(() => 200));
  });
});

describe('a token limited to an account', () => {
  it("gets no secret of its member's wider tokens", async () => {
    const { token: limited } = await createAccount('narrow');
    const wide = await service.administratorToken();
    const organizationId = wide.organizationId;
    const secret = limited.primary.access.secret;
    for (const [method, path] of [
      ['PUT', `/v1/tokens/${organizationId}/${wide.tokenId}/reset`],
      ['PUT', `/v1/tokens/${wide.tokenId}/refresh`],
      ['GET', `/v1/tokens/${wide.tokenId}/info`],
      ['DELETE', `/v1/tokens/${wide.tokenId}`],
    ] as const)
      expect([path, await status(method, path, secret)]).toEqual([path, 404]);
    expect(await works(wide.access)).toBe(true);
  });

  it('"data is never shared across accounts": it can access the tokens of its account, not those of others', async () => {
    const [mine, other] = [await createAccount('mine'), await createAccount('other')];
    const inside = await createIntegration(mine.account.id, 'inside');
    const outside = await createIntegration(other.account.id, 'outside');
    const secret = mine.token.primary.access.secret;
    const refresh = (id: string) => status('PUT', `/v1/tokens/${id}/refresh`, secret);
    expect(await refresh(inside.integration.refresh_token_id)).toBe(200);
    expect(await refresh(mine.token.id)).toBe(200);
    expect(await refresh(outside.integration.refresh_token_id)).toBe(404);
    expect(await refresh(other.token.id)).toBe(404);
    const path = `/v1/tokens/${other.account.id}/${outside.integration.id}`;
    expect(await status('POST', path, secret, {})).toBe(404);
  });

  it('sees of the list what it can reach', async () => {
    const { account, token } = await createAccount('seeing');
    const { integration } = await createIntegration(account.id, 'seeing');
    const secret = token.primary.access.secret;
    const { result } = await ask<Shown[]>('GET', '/v1/tokens', undefined, secret);
    expect(result.map(({ id }) => id).sort()).toEqual(
      [token.id, integration.refresh_token_id].sort(),
    );
  });
});

describe('two organizations', () => {
  it('reach nothing of one another, by id or by name', async () => {
    const stranger = (await service.organization('strangers')).access;
    const { account, token } = await createAccount('private');
    const { integration } = await createIntegration(account.id, 'private');
    for (const [method, path] of [
      ['GET', `/v1/accounts/${account.id}`],
      ['GET', '/v1/accounts/private'],
      ['DELETE', `/v1/accounts/${account.id}`],
      ['GET', `/v1/integrations/${account.id}/${integration.id}`],
      ['DELETE', `/v1/integrations/${account.id}/${integration.id}`],
      ['GET', `/v1/credentials/${account.id}`],
      ['GET', `/v1/tokens/${token.id}/info`],
      ['PUT', `/v1/tokens/${token.id}/refresh`],
      ['PUT', `/v1/tokens/${token.owner_id}/${token.id}/reset`],
      ['DELETE', `/v1/tokens/${token.id}`],
    ] as const)
      expect([method, path, await status(method, path, stranger)]).toEqual([method, path, 404]);
    expect(await works(token.primary.access.secret)).toBe(true);
  });
});

describe('a token of the MCP endpoint', () => {
  const create = (scope: object, token?: string, ttl?: string) =>
    ask<{ secret: string; expires: string; claims: { mcp: object } }>(
      'POST',
      '/v1/tokens/mcp',
      { scope, ...(ttl === undefined ? {} : { token_ttl: ttl }) },
      token,
    );

  it('is stored with its scope, lives an hour unless told, and is refused by both APIs', async () => {
    const { account } = await createAccount('mcp');
    const { status: created, result } = await create({
      type: 'integration-usage',
      account_id: 'mcp',
      restrict_to_connector_operations: ['ticketing_get_ticket'],
    });
    expect(created).toBe(200);
    expect(result.secret).toMatch(/^ofm_/);
    expect(result.claims.mcp).toEqual({
      type: 'integration-usage',
      account_id: account.id,
      restrict_to_connector_operations: ['ticketing_get_ticket'],
    });
    expect(Math.round((Date.parse(result.expires) - Date.now()) / 60_000)).toBe(60);
    for (const path of ['/v1/accounts', '/v1/ticketing/tickets', '/v1/organization'])
      expect([path, await status('GET', path, result.secret)]).toEqual([path, 403]);
    const introspected = await service.bus.call('tokens.introspect', {
      hash: hashToken(result.secret),
    });
    expect(introspected).toMatchObject({
      caller: { scope: 'mcp', mcp: { type: 'integration-usage', account_id: account.id } },
    });
  });

  it('is not wider than its maker, and names an account that is there', async () => {
    const { account, token } = await createAccount('mcp-maker', 'administrator');
    await createAccount('mcp-other');
    const maker = token.primary.access.secret;
    const own = { type: 'developer', account_id: account.id };
    expect((await create(own, maker)).status).toBe(200);
    for (const scope of [
      { type: 'management' },
      { type: 'management', environment: 'test' },
      { type: 'management', account_id: null },
    ])
      expect([scope, (await create(scope, maker)).status]).toEqual([scope, 403]);
    for (const account_id of ['mcp-other', 'nobody'])
      expect((await create({ type: 'developer', account_id }, maker)).status).toBe(400);
    const { token: manager } = await createAccount('mcp-manager');
    const wide = { type: 'developer', account_id: 'mcp-manager' };
    expect((await create(wide, manager.primary.access.secret)).status).toBe(403);
    for (const [ttl, wanted] of [
      ['soon', 400],
      ['25h', 400],
      ['24h', 200],
    ] as const)
      expect([ttl, (await create({ type: 'management' }, undefined, ttl)).status]).toEqual([
        ttl,
        wanted,
      ]);
    expect((await create({ type: 'everything' })).status).toBe(400);
  });

  it('has no refresh secret, and is deleted like any other', async () => {
    const { result } = await create({ type: 'management', environment: 'prod' });
    const found = await service.bus.call('tokens.introspect', { hash: hashToken(result.secret) });
    const id = found && 'caller' in found ? found.caller.tokenId : '';
    const { message } = await service.call('PUT', `/v1/tokens/${id}/refresh`);
    expect(message).toContain('has no refresh secret');
    expect((await service.call('DELETE', `/v1/tokens/${id}`)).status).toBe(204);
    expect(
      await service.bus.call('tokens.introspect', { hash: hashToken(result.secret) }),
    ).toMatchObject({ refused: 'revoked' });
  });
});

describe('introspection', () => {
  it('finds the caller of 500 calls, ten at a time', async () => {
    const { access } = await service.administratorToken();
    const found: unknown[] = [];
    for (let round = 0; round < 50; round += 1)
      found.push(
        ...(await Promise.all(
          Array.from({ length: 10 }, () =>
            service.bus.call('tokens.introspect', { hash: hashToken(access) }),
          ),
        )),
      );
    expect(found).toHaveLength(500);
    for (const one of found) expect(one).toHaveProperty('caller.organizationId');
  });
});
