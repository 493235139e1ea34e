import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

interface Row {
  id: string;
  name: string;
  owner_type: string;
  account_id: string | null;
  integration_id: string;
}

/** An account with an integration and a credential. */
interface Made {
  id: string;
  integrationId: string;
  credentialId: string;
  /** A token that reaches this account alone. */
  token: string;
}

let service: Service;
let test: Made;
let prod: Made;
let pointCredential: string;

beforeAll(async () => {
  service = await startService();
  [test, prod] = [await make('test'), await make('prod')];
  const point = { name: 'desk', connector: 'ticketing', environments: { test: ['*'] } };
  await service.call('POST', '/v1/integration-points', point);
  pointCredential = await createCredential('desk', {});
});
afterAll(() => service.stop());

async function createCredential(owner: string, body: object): Promise<string> {
  const config = { type: 'token', secret: 'hidden' };
  const path = `/v1/credentials/${owner}`;
  const name = 'shared-name'; // Owners may give their credentials the same name.
  return (await service.call<Row>('POST', path, { name, config, ...body })).result.id;
}

async function make(environment: 'test' | 'prod', days = environment === 'prod' ? 7 : 40) {
  const { result } = await service.call<{
    account: Row;
    token: { primary: { access: { secret: string } } };
  }>('POST', '/v1/accounts', { environment, token: { permission_set: 'account-manager' } });
  const { id } = result.account;
  const { integration } = (
    await service.call<{ integration: Row }>('POST', `/v1/integrations/${id}`, {
      provider_config: { type: 'ticketing_mock_ticketing' },
    })
  ).result;
  const expires = new Date(Date.now() + days * 86_400_000).toISOString();
  return {
    id,
    integrationId: integration.id,
    token: result.token.primary.access.secret,
    credentialId: await createCredential(id, { expires }),
  };
}

const list = (path: string, query: Record<string, string>, token?: string) =>
  service.call<Row[]>(
    'GET',
    `${path}?${new URLSearchParams(query).toString()}`,
    undefined,
    ...(token === undefined ? [] : [token]),
  );

describe('lists of what belongs to accounts', () => {
  it.each([
    ['/v1/integrations', ({ id }: Row) => id, (made: Made) => made.integrationId],
    ['/v1/status', (row: Row) => row.integration_id, (made: Made) => made.integrationId],
    ['/v1/credentials', ({ id }: Row) => id, (made: Made) => made.credentialId],
  ])('%s is filtered by the environment of the account', async (path, idOf, idIn) => {
    const found = async (filter: string) => (await list(path, { filter })).result.map(idOf);
    const cases = [
      ['account.environment[eq]prod', prod, test],
      ['account.environment[neq]prod', test, prod],
      ['account.environment[in]test', test, prod],
      ['account.environment[not in]test', prod, test],
      ['account.environment[like]pr%', prod, test],
    ] as const;
    for (const [filter, has, hasNot] of cases) {
      const ids = await found(filter);
      expect([filter, ids]).toEqual([filter, expect.arrayContaining([idIn(has)])]);
      expect(ids).not.toContain(idIn(hasNot));
    }
    expect(await found('account.environment[in]test,prod')).toHaveLength(2);
  });

  it('name the environments that there are, and are not ordered by them', async () => {
    for (const path of ['/v1/integrations', '/v1/status', '/v1/jobs', '/v1/jobs/history']) {
      const wrong = await list(path, { filter: 'account.environment[eq]staging' });
      expect([wrong.status, wrong.message]).toEqual([
        400,
        expect.stringContaining('"staging" is not an allowed value'),
      ]);
      const ordered = await list(path, { order: 'account.environment' });
      expect([path, ordered.status]).toEqual([path, 400]);
    }
  });

  it('show a caller no account that its token does not reach, whatever the filter', async () => {
    for (const path of ['/v1/integrations', '/v1/status'])
      for (const filter of ['account.environment[in]test,prod', 'account.environment[neq]prod']) {
        const { result } = await list(path, { filter }, prod.token);
        expect(JSON.stringify(result)).not.toContain(test.id);
      }
  });
});

describe('the statuses of integrations', () => {
  const query = { expand: 'account' };
  const ids = async (more: Record<string, string>, token?: string) =>
    (await list('/v1/status', { ...query, ...more }, token)).result.map(
      (row) => row.integration_id,
    );

  beforeAll(async () => {
    const patch = (value: string) => [{ op: 'replace', path: '/fullname', value }];
    await service.call('PATCH', `/v1/accounts/${prod.id}`, patch('Nordwind 100% Ltd'));
    const desk = `/v1/integrations/${prod.id}/${prod.integrationId}`;
    await service.call('PATCH', desk, patch('Zulu desk'));
    const other = `/v1/integrations/${test.id}/${test.integrationId}`;
    await service.call('PATCH', other, patch('Alpha desk'));
  });

  it('are found by the names of integration and account, by domain and by provider', async () => {
    expect(await ids({ filter: 'names[like]%zulu%' })).toEqual([prod.integrationId]);
    expect(await ids({ filter: 'names[like]"%nordwind 100%%"' })).toEqual([prod.integrationId]);
    expect(await ids({ filter: 'names[like]%nobody%' })).toEqual([]);
    expect(await ids({ filter: 'category[eq]ticketing' })).toHaveLength(2);
    expect(await ids({ filter: 'category[eq]chat' })).toEqual([]);
    const provider = 'provider_type[eq]ticketing_mock_ticketing';
    expect(await ids({ filter: provider })).toHaveLength(2);
  });

  it('are ordered by urgency and by name, page by page', async () => {
    expect(await ids({ order: 'fullname' })).toEqual([test.integrationId, prod.integrationId]);
    expect(await ids({ order: 'urgency' })).toHaveLength(2);
    const order = 'fullname[desc]';
    const [first = ''] = await ids({ order, limit: '1' });
    expect(first).toBe(prod.integrationId);
    expect(await ids({ order, limit: '1', start_after: first })).toEqual([test.integrationId]);
    expect((await list('/v1/status', { order: 'names' })).status).toBe(400);
  });

  it('are not found by the names of accounts that the token does not reach', async () => {
    expect(await ids({ filter: 'names[like]%desk%' }, test.token)).toEqual([test.integrationId]);
    expect(await ids({ filter: 'names[like]%nordwind%' }, test.token)).toEqual([]);
  });
});

describe('the credentials of all owners', () => {
  it('are those of accounts and integration points, without a secret', async () => {
    const { result } = await list('/v1/credentials', {});
    expect(result.map(({ id }) => id).sort()).toEqual(
      [test.credentialId, prod.credentialId, pointCredential].sort(),
    );
    expect(result.map(({ owner_type: owner }) => owner).sort()).toEqual([
      'account',
      'account',
      'integration_point',
    ]);
    expect(JSON.stringify(result)).not.toContain('hidden');
  });

  it('are found by the time at which they expire, the next one first', async () => {
    const end = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const soon = await list('/v1/credentials', { filter: `expires[lt]${end(14)}` });
    expect(soon.result.map(({ id }) => id)).toEqual([prod.credentialId]);
    const { result } = await list('/v1/credentials', { order: 'expires[asc]' });
    expect(result.map(({ id }) => id)).toEqual([
      prod.credentialId,
      test.credentialId,
      pointCredential,
    ]);
  });

  it('have pages, also where several have one name', async () => {
    const seen: string[] = [];
    for (let after: Record<string, string> = {}; ;) {
      const { result } = await list('/v1/credentials', {
        limit: '1',
        order: 'expires[asc]',
        ...after,
      });
      const [row] = result;
      if (row === undefined) break;
      seen.push(row.id);
      after = { start_after: row.id };
    }
    expect(seen).toEqual([prod.credentialId, test.credentialId, pointCredential]);
    // Pages by name begin after a name, so one has all rows of its last name.
    expect((await list('/v1/credentials', { limit: '1' })).result).toHaveLength(3);
  });

  it('are those of its accounts for a token that is limited, without those of integration points', async () => {
    const { result } = await list('/v1/credentials', {}, prod.token);
    expect(result.map(({ id }) => id)).toEqual([prod.credentialId]);
  });

  it('are not for a browser of a customer, nor for a member without credentials', async () => {
    for (const set of ['connect-ui', 'member']) {
      const resources = { accounts: { ids: [prod.id] } };
      const made = await service.call<{ primary: { access: { secret: string } } }>(
        'POST',
        '/v1/tokens',
        { permission_set: set, resources },
      );
      const { secret } = made.result.primary.access;
      expect([set, (await list('/v1/credentials', {}, secret)).status]).toEqual([set, 403]);
    }
    const resources = { organizations: { ids: ['*'] } };
    const viewer = await service.call<{ primary: { access: { secret: string } } }>(
      'POST',
      '/v1/tokens',
      { permission_set: 'viewer', resources },
    );
    const { secret } = viewer.result.primary.access;
    expect((await list('/v1/credentials', {}, secret)).status).toBe(200);
  });
});
