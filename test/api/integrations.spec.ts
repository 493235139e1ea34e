import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addProvider } from './add-provider.js';
import { type Service, startService } from './service.js';

interface Integration {
  id: string;
  name: string;
  account_id: string;
  refresh_token_id: string;
  provider_config: { credential: { type: string; value: string } };
}
interface Made {
  integration: Integration;
  token: { access: { secret: string } };
}

let service: Service;
let account: string;

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  const { result } = await service.call('POST', '/v1/accounts', {});
  account = (result['account'] as unknown as { id: string }).id;
});
afterAll(async () => {
  await service.stop();
});

const mock = { type: 'ticketing_mock_ticketing' };
const desk = (credential: object) => ({
  type: 'ticketing_jira',
  url: 'https://desk.example.com',
  credential,
});
const inline = { type: 'basic', username: 'robot', secret: 'hidden-secret' };
const send = (body: object) =>
  service.call('POST', `/v1/integrations/${account}`, { provider_config: mock, ...body });
async function create(body: object): Promise<Made> {
  const { status, message, result } = await send(body);
  expect([status, message]).toEqual([200, '']);
  return result as unknown as Made;
}
const at = (id: string) => `/v1/integrations/${account}/${id}`;
const resolve = (integrationId: string) =>
  service.bus.call('integrations.resolve', {
    organizationId: service.administrator.organizationId,
    integrationId,
  });
async function credentialsOf(owner: string): Promise<string[]> {
  const { result } = await service.call('GET', `/v1/credentials/${owner}`);
  return (result as never as { id: string }[]).map(({ id }) => id);
}

describe('creating an integration', () => {
  it('"Integration tokens are created and returned when an Integration is first initialized"', async () => {
    const { integration, token } = await create({ fullname: 'Help Desk' });
    expect(integration).toMatchObject({
      name: 'help-desk',
      account_id: account,
      category: 'ticketing',
      provider_type: mock.type,
    });
    const { secret } = token.access;
    const refused = await service.call('GET', '/v1/accounts', undefined, secret);
    expect([refused.status, refused.message]).toEqual([
      403,
      expect.stringContaining('Integration token'),
    ]);
    const again = await service.call('GET', at(integration.name));
    expect(again.result).toEqual(integration);
    expect(JSON.stringify(again.result)).not.toContain(secret);
  });

  it('takes a name once per account', async () => {
    await create({ name: 'desk' });
    expect((await send({ name: 'DESK' })).status).toBe(409);
    const { result } = await service.call('POST', '/v1/accounts', {});
    account = (result['account'] as unknown as { id: string }).id;
    await create({ name: 'desk' });
  });

  it('makes a credential of an inline secret, which no answer shows', async () => {
    const made = await send({ provider_config: desk(inline) });
    expect([made.status, made.message]).toEqual([200, '']);
    const { integration } = made.result as never as Made;
    const { value } = integration.provider_config.credential;
    expect(integration.provider_config.credential).toEqual({ type: 'basic_id', value });
    expect(made.result['credentials_created']).toMatchObject([
      { id: value, config: { type: 'basic' }, owner_type: 'integration', managed: 'Managed' },
    ]);
    const shown = [made, await service.call('GET', at(integration.id))];
    expect(JSON.stringify(shown)).not.toContain('hidden-secret');
    expect(Object.keys((await resolve(integration.id)).credentials)).toEqual([value]);
  });

  it('takes a stored credential of the account by its twin type, of no other type and of no other integration', async () => {
    const stored = await service.call('POST', `/v1/credentials/${account}`, { config: inline });
    const value = String(stored.result['id']);
    const { integration } = await create({
      provider_config: desk({ type: 'basic_id', value }),
    });
    expect(Object.keys((await resolve(integration.id)).credentials)).toEqual([value]);
    const filter = encodeURIComponent(`credentials[eq]${value}`);
    const users = await service.call<object[]>('GET', `/v1/integrations?filter=${filter}`);
    expect(users.result).toMatchObject([{ id: integration.id }]);
    const token = await service.call('POST', `/v1/credentials/${account}`, {
      config: { type: 'token', secret: 's' },
    });
    const wrong = desk({ type: 'basic_id', value: token.result['id'] });
    const refused = await send({ provider_config: wrong });
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining('token')]);
    const other = await create({ provider_config: desk(inline) });
    const foreign = desk(other.integration.provider_config.credential);
    expect((await send({ provider_config: foreign })).status).toBe(400);
  });

  it.each([
    [
      'a provider of no category',
      { provider_config: { type: 'telephone_nobody' } },
      /provider_config/,
    ],
    [
      'a mapping that is not there',
      { mappings: [{ mappings: ['gone'], operation_ids: ['ticketing_get_ticket'] }] },
      /mapping/,
    ],
    [
      'an operation of another category',
      { mappings: [{ mappings: ['default:0'], operation_ids: ['siem_query_events'] }] },
      /operation/,
    ],
    [
      'an integration point that is not there',
      { integration_point_id: 'gone' },
      /integration point/,
    ],
  ])('refuses %s', async (_what, body, message) => {
    const refused = await send(body);
    expect([refused.status, refused.message]).toEqual([400, expect.stringMatching(message)]);
    const { result } = await service.call('GET', `/v1/integrations/${account}`);
    expect(result).toEqual([]);
  });
});

describe('integrations', () => {
  it('are told what a right value is, by the words of the provider', async () => {
    const config = {
      type: 'siem_splunk',
      search_service_url: 'https://splunk.example.com:8089',
      search_service_credential: { type: 'token', secret: 'secret' },
      skip_tls_verify: true,
    };
    const refused = await send({ provider_config: config });
    expect([refused.status, refused.remediation]).toEqual([
      400,
      expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    ]);
  });

  it('are listed by account and together, with what expand asks for', async () => {
    const { integration } = await create({ name: `listed-${account.slice(-6)}` });
    const own = await service.call('GET', `/v1/integrations/${account}`);
    expect(own.result).toEqual([integration]);
    const filter = `filter=name%5Beq%5D${integration.name}`;
    const all = await service.call('GET', `/v1/integrations?${filter}&expand=account`);
    expect(all.result).toMatchObject([{ id: integration.id, account: { id: account } }]);
  });

  it('are verified before they are there, and nothing is stored', async () => {
    const verify = (config: object) =>
      service.call('POST', `/v1/integrations/${account}/verify`, {
        integration: { provider_config: config },
      });
    expect((await verify({ type: 'ticketing_mock_ticketing' })).status).toBe(200);
    const nowhere = await verify({ ...desk(inline), url: 'http://127.0.0.1:9' });
    expect([nowhere.status, nowhere.message]).toEqual([
      400,
      expect.stringContaining('cannot be reached'),
    ]);
    expect((await verify(desk({ type: 'basic_id', value: 'crd_gone' }))).status).toBe(400);
    expect((await service.call('GET', `/v1/integrations/${account}`)).result).toEqual([]);
    expect(await credentialsOf(account)).toEqual([]);
  });

  it('give a secret once for two places: "verify takes ids of the form #/<n>"', async () => {
    const twice = (value: string) => ({
      type: 'siem_twice',
      hec_credential: { type: 'token_id', value },
      search_service_credential: { type: 'token', secret: 'hidden-secret' },
    });
    const token = '{ token: { send: query, name: key, value: this.credential.secret } }';
    await addProvider(service, 'siem_twice', 'siem_query_events', {
      credentials: `{ hec_credential: ${token}, search_service_credential: ${token} }`,
    });
    const path = `/v1/integrations/${account}/verify`;
    const verify = (config: object) =>
      service.call('POST', path, { integration: { provider_config: config } });
    expect((await verify(twice('#/0'))).status).toBe(200);
    const { status, message } = await verify(twice('#/1'));
    expect([status, message]).toEqual([
      400,
      'body /integration/provider_config/hec_credential/value: is not an inline credential of the configuration, which has 1',
    ]);
    const { integration } = await create({ provider_config: twice('#/0') });
    const { hec_credential: hec, search_service_credential: search } =
      integration.provider_config as unknown as Record<string, { type: string; value: string }>;
    expect(hec).toEqual(search);
    expect(await credentialsOf(integration.id)).toEqual([search?.value]);
  });

  it('drop the secret that an update replaces', async () => {
    const { integration } = await create({ provider_config: desk(inline) });
    const before = integration.provider_config.credential.value;
    const patched = await service.call('PATCH', at(integration.id), [
      { op: 'replace', path: '/provider_config/credential', value: { ...inline, secret: 'new' } },
    ]);
    expect([patched.status, patched.message]).toEqual([200, '']);
    const { value } = (patched.result as never as Integration).provider_config.credential;
    expect(value).not.toBe(before);
    expect(await credentialsOf(integration.id)).toEqual([value]);
  });

  it('stay in their domain', async () => {
    const { integration } = await create({});
    const { status, message } = await service.call('PATCH', at(integration.id), [
      { op: 'replace', path: '/provider_config', value: { type: 'siem_mock_siem' } },
    ]);
    expect([status, message]).toEqual([400, expect.stringContaining('another domain')]);
  });

  it('take their tokens and the credentials made for them along when they are deleted', async () => {
    const { integration } = await create({ provider_config: desk(inline) });
    const { value } = integration.provider_config.credential;
    expect((await service.call('DELETE', at(integration.id))).status).toBe(204);
    expect((await service.call('GET', at(integration.id))).status).toBe(404);
    expect((await service.call('GET', `/v1/credentials/lookup/${value}`)).status).toBe(404);
    const { result } = await service.call('GET', '/v1/tokens?limit=100');
    expect(JSON.stringify(result)).not.toContain(integration.id);
    await expect(resolve(integration.id)).rejects.toMatchObject({ status: 404 });
  });

  it('resolve to the chain of their own before the chain of their integration point', async () => {
    for (const name of ['own', 'points'])
      await service.call('POST', '/v1/mappings', {
        name: `${name}-${account.slice(-6)}`,
        data: 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root = this\n',
      });
    const chain = (name: string) => ({
      mappings: [`${name}-${account.slice(-6)}`],
      operation_ids: ['ticketing_get_ticket'],
    });
    const point = await service.call('POST', '/v1/integration-points', {
      connector: 'ticketing',
      environments: { prod: ['*'] },
      mappings: [{ ...chain('points'), providers: ['*'] }],
    });
    const { integration } = await create({
      integration_point_id: point.result['id'],
      mappings: [chain('own')],
    });
    const { chains } = await resolve(integration.id);
    expect(chains.map(({ mappings }) => mappings[0]?.reference)).toEqual([
      `own-${account.slice(-6)}:1`,
      `points-${account.slice(-6)}:1`,
    ]);
  });
});
