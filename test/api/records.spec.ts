import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

interface Identified {
  id: string;
  name: string;
}

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

const ask: Service['call'] = (...call) => service.call(...call);
const status = async (method: string, path: string, body?: unknown, token?: string) =>
  (await service.call(method, path, body, token)).status;
/** Creates an account, and returns the access secret of a token limited to it. */
const createAccount = async (name: string, environment = 'prod') => {
  const { result } = await ask<{
    account: Identified;
    token: { primary: { access: { secret: string } } };
  }>('POST', '/v1/accounts', { name, environment, token: { permission_set: 'account-manager' } });
  return { id: result.account.id, token: result.token.primary.access.secret };
};
const createPoint = async (name: string, environments: object = { test: ['*'], prod: ['*'] }) =>
  (
    await ask<Identified>('POST', '/v1/integration-points', {
      name,
      connector: 'ticketing',
      environments,
    })
  ).result;
const secret = (value = 'hunter2') => ({ type: 'basic', username: 'u', secret: value });
const createCredential = async (ownerId: string, name: string) =>
  (await ask<Identified>('POST', `/v1/credentials/${ownerId}`, { name, config: secret() })).result;
const mock = { type: 'ticketing_mock_ticketing' };
const createIntegration = async (accountId: string, body: object = {}) =>
  (
    await ask<{ integration: Identified; credentials_created?: Identified[] }>(
      'POST',
      `/v1/integrations/${accountId}`,
      { provider_config: mock, ...body },
    )
  ).result;

describe('the rules of the specification on accounts', () => {
  it('"Deleting an Account deletes its Integrations and Credentials", and nothing of its neighbours', async () => {
    const [leaving, staying] = [await createAccount('leaving'), await createAccount('staying')];
    const gone = await createCredential(leaving.id, 'gone');
    const kept = await createCredential(staying.id, 'kept');
    const { integration } = await createIntegration(leaving.id);
    const neighbour = await createIntegration(staying.id);
    expect(await status('DELETE', `/v1/accounts/${leaving.id}`)).toBe(204);
    expect(await status('GET', `/v1/credentials/lookup/${gone.id}`)).toBe(404);
    expect(await status('GET', `/v1/credentials/lookup/${kept.id}`)).toBe(200);
    const { result } = await ask<Identified[]>('GET', '/v1/integrations');
    const ids = result.map(({ id }) => id);
    expect(ids).toContain(neighbour.integration.id);
    expect(ids).not.toContain(integration.id);
  });
});

describe('the rules of the specification on credentials', () => {
  it.each([
    ['copy', { op: 'copy', from: '/name', path: '/fullname' }, '/0/op'],
    ['move', { op: 'move', from: '/name', path: '/fullname' }, '/0/op'],
    ['test', { op: 'test', path: '/name', value: 'x' }, '/0/op'],
    ['another path', { op: 'replace', path: '/managed', value: 'Managed' }, '/0/path'],
    ['a path below a name', { op: 'add', path: '/name/x', value: 'x' }, '/0/path'],
  ])(
    '"copy, move, test and any other operation or path are rejected with HTTP 400": %s',
    async (name, operation, pointer) => {
      const account = await createAccount(`patch-${name.replaceAll(' ', '-')}`);
      const { id } = await createCredential(account.id, 'patched');
      const path = `/v1/credentials/${account.id}/${id}`;
      const refused = await service.call('PATCH', path, [operation]);
      expect([refused.status, refused.message]).toEqual([400, expect.stringContaining(pointer)]);
    },
  );

  it('"only operations add, remove, replace; only paths /name, /fullname, /expires, or a /config field"', async () => {
    const account = await createAccount('patches');
    const { id } = await createCredential(account.id, 'before');
    const path = `/v1/credentials/${account.id}/${id}`;
    const patched = await ask('PATCH', path, [
      { op: 'replace', path: '/name', value: 'after' },
      { op: 'replace', path: '/fullname', value: 'After' },
      { op: 'add', path: '/expires', value: '2030-01-01T00:00:00Z' },
      { op: 'replace', path: '/config/secret', value: 'a new secret' },
    ]);
    expect(patched.result).toMatchObject({
      name: 'after',
      fullname: 'After',
      config: { type: 'basic' },
    });
    expect(JSON.stringify(patched)).not.toContain('a new secret');
    const without = await ask('PATCH', path, [{ op: 'remove', path: '/expires' }]);
    expect(without.result).not.toHaveProperty('expires');
  });

  it('keep their type while an integration uses them', async () => {
    const account = await createAccount('types');
    const { id } = await createCredential(account.id, 'used');
    const path = `/v1/credentials/${account.id}/${id}`;
    const retype = { op: 'replace', path: '/config', value: { type: 'token', secret: 's' } };
    expect(await status('PATCH', path, [retype])).toBe(200);
    await service.call('PATCH', path, [{ ...retype, value: secret() }]);
    await createIntegration(account.id, {
      provider_config: {
        type: 'ticketing_jira',
        url: 'https://desk.example.com',
        credential: { type: 'basic_id', value: id },
      },
    });
    const refused = await service.call('PATCH', path, [retype]);
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining('used by')]);
    const renewed = { op: 'replace', path: '/config', value: secret('another') };
    expect(await status('PATCH', path, [renewed])).toBe(200);
  });

  it('are not found by the name of an integration that two accounts have', async () => {
    const [one, other] = [await createAccount('twin-one'), await createAccount('twin-two')];
    await createIntegration(one.id, { name: 'twin' });
    expect(await status('GET', '/v1/credentials/twin')).toBe(200);
    await createIntegration(other.id, { name: 'twin' });
    expect(await status('GET', '/v1/credentials/twin')).toBe(404);
  });

  it('"{ownerId} is an Account, Integration, Integration Point ... (create: not Integration)"', async () => {
    const account = await createAccount('owners');
    const point = await createPoint('owners');
    const { integration } = await createIntegration(account.id);
    const create = (owner: string) =>
      service.call('POST', `/v1/credentials/${owner}`, { config: secret() });
    expect((await create(account.id)).result).toMatchObject({ owner_type: 'account' });
    expect((await create(point.id)).result).toMatchObject({
      owner_type: 'integration_point',
      integration_point_id: point.id,
    });
    expect((await create(integration.id)).status).toBe(400);
    expect(await status('GET', `/v1/credentials/${integration.id}`)).toBe(200);
  });

  it('"A Credential belongs to exactly one owner": it is not found below another', async () => {
    const [one, two] = [await createAccount('one'), await createAccount('two')];
    const { id } = await createCredential(one.id, 'single');
    for (const method of ['GET', 'DELETE'])
      expect(await status(method, `/v1/credentials/${two.id}/${id}`)).toBe(404);
    expect(await status('GET', `/v1/credentials/lookup/${id}`, undefined, two.token)).toBe(404);
    expect(await status('GET', `/v1/credentials/lookup/${id}`, undefined, one.token)).toBe(200);
  });

  it('of an integration point are refused to tokens that are limited to an account', async () => {
    const { token } = await createAccount('below');
    const point = await createPoint('above');
    const { id } = await createCredential(point.id, 'above');
    const below = (method: string, path: string, body?: unknown) =>
      status(method, path, body, token);
    expect(await below('POST', `/v1/credentials/${point.id}`, { config: secret() })).toBe(404);
    expect(await below('GET', `/v1/credentials/${point.id}`)).toBe(404);
    expect(await below('DELETE', `/v1/credentials/${point.id}/${id}`)).toBe(404);
    expect(await below('GET', `/v1/credentials/lookup/${id}`)).toBe(404);
  });
});

describe('the rules of the specification on integration points', () => {
  it('"An Integration can exist without one"', async () => {
    const account = await createAccount('pointless');
    const { integration } = await createIntegration(account.id);
    expect(integration).not.toHaveProperty('integration_point_id');
  });

  it('"It can be associated with Integrations of different Accounts", and is not deleted under them', async () => {
    const point = await createPoint('shared');
    for (const name of ['shared-1', 'shared-2']) {
      const account = await createAccount(name);
      const body = { integration_point_id: point.id };
      expect((await createIntegration(account.id, body)).integration).toMatchObject(body);
    }
    const refused = await service.call('DELETE', `/v1/integration-points/${point.id}`);
    expect(refused.status).toBe(409);
    expect(refused.message).toContain('2 integrations');
  });

  it('"validation of allowed providers": in the environment of the account', async () => {
    const point = await createPoint('allowing', { test: ['*'], prod: ['ticketing_jira'] });
    const [test, prod] = [await createAccount('in-test', 'test'), await createAccount('in-prod')];
    const body = { provider_config: mock, integration_point_id: point.id };
    expect(await status('POST', `/v1/integrations/${test.id}`, body)).toBe(200);
    const refused = await service.call('POST', `/v1/integrations/${prod.id}`, body);
    expect(refused.status).toBe(400);
    expect(refused.message).toContain('allowing');
    const { result } = await ask<unknown[]>('GET', `/v1/integrations/${prod.id}`);
    expect(result).toEqual([]);
  });

  it('are changed by no token that is limited to an account', async () => {
    const { token } = await createAccount('limited');
    const point = await createPoint('steady');
    const path = `/v1/integration-points/${point.id}`;
    expect(await status('DELETE', path, undefined, token)).toBe(403);
    expect(await status('GET', path, undefined, token)).toBe(200);
  });
});

describe('the rules of the specification on integrations', () => {
  it('are found in their account only: "data is never shared across accounts"', async () => {
    const [mine, other] = [await createAccount('mine'), await createAccount('other')];
    const { integration } = await createIntegration(other.id, { name: 'theirs' });
    expect(await status('GET', `/v1/integrations/${mine.id}/${integration.id}`)).toBe(404);
    const as = (method: string, path: string) => status(method, path, undefined, mine.token);
    expect(await as('GET', `/v1/integrations/${other.id}`)).toBe(404);
    expect(await as('DELETE', `/v1/integrations/${other.id}/${integration.id}`)).toBe(404);
    const { result } = await ask<Identified[]>('GET', '/v1/integrations', undefined, mine.token);
    expect(result).toEqual([]);
  });

  it('take a credential of their account by id, and none of another account', async () => {
    const [mine, other] = [await createAccount('holder'), await createAccount('stranger')];
    const [own, foreign] = [
      await createCredential(mine.id, 'own'),
      await createCredential(other.id, 'foreign'),
    ];
    const body = (value: string) => ({
      provider_config: {
        type: 'ticketing_jira',
        url: 'https://jira.example.com',
        credential: { type: 'basic_id', value },
      },
    });
    expect(await status('POST', `/v1/integrations/${mine.id}`, body(foreign.id))).toBe(400);
    const first = await createIntegration(mine.id, body(own.id));
    const second = await createIntegration(mine.id, body(own.id));
    expect(first.integration.name).not.toBe(second.integration.name);
    const refused = await service.call('DELETE', `/v1/credentials/${mine.id}/${own.id}`);
    expect([refused.status, refused.message]).toEqual([
      409,
      expect.stringContaining(first.integration.name),
    ]);
  });

  it('turn an inline secret into a credential that they report and never show', async () => {
    const account = await createAccount('inline');
    const created = await ask<{
      integration: Identified;
      credentials_created: Identified[];
    }>('POST', `/v1/integrations/${account.id}`, {
      provider_config: {
        type: 'ticketing_jira',
        url: 'https://jira.example.com',
        credential: secret('inline-secret'),
      },
    });
    expect(created.status).toBe(200);
    expect(created.result.credentials_created).toHaveLength(1);
    expect(JSON.stringify(created)).not.toContain('inline-secret');
    const path = `/v1/integrations/${account.id}/${created.result.integration.id}`;
    const found = await ask('GET', path);
    expect(found.result).toMatchObject({
      provider_config: {
        credential: { type: 'basic_id', value: created.result.credentials_created[0]?.id },
      },
    });
  });

  it('are verified on their provider without leaving a trace', async () => {
    const account = await createAccount('verified');
    const body = {
      integration: {
        name: 'tried',
        provider_config: {
          type: 'ticketing_jira',
          url: 'https://jira.example.com',
          credential: secret(),
        },
      },
    };
    const verified = await service.call('POST', `/v1/integrations/${account.id}/verify`, body);
    expect([verified.status, verified.message]).toEqual([
      400,
      expect.stringContaining('cannot be reached'),
    ]);
    for (const list of ['integrations', 'credentials'])
      expect((await ask<unknown[]>('GET', `/v1/${list}/${account.id}`)).result).toEqual([]);
  });
});
