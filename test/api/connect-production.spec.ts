import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { documentOf } from './add-provider.js';
import { type Service, startService } from './service.js';

interface Described {
  id: string;
  proof?: string;
  release: { environments: string[] };
}

const mocks = ['ticketing_mock_ticketing', 'ticketing_jira_mock'];
const [draft, unproven, proven] = ['ticketing_torq', 'ticketing_ivanti', 'ticketing_xurrent'];
const list = 'ticketing_query_tickets';

let service: Service;
const accounts: Record<string, string> = {};
beforeAll(async () => {
  service = await startService();
  for (const environment of ['test', 'prod']) {
    const body = { name: `customer-in-${environment}`, environment };
    accounts[environment] = (
      await made<{ account: { id: string } }>('/v1/accounts', body)
    ).account.id;
  }
  for (const data of [
    documentOf(draft, list, { facts: 'availability: in-development\nproof: real-system' }),
    documentOf(unproven, list),
    documentOf(proven, list, { facts: 'proof: real-system' }),
  ])
    await made('/v1/customs', { data });
  await point('every', ['*']);
  await point('named', ['*', mocks[0], draft]);
});
afterAll(() => service.stop());

async function made<Result>(path: string, body: object): Promise<Result> {
  const { status, message, result } = await service.call<Result>('POST', path, body);
  expect([status, message]).toEqual([200, '']);
  return result;
}

const point = async (name: string, ids: readonly (string | undefined)[]) =>
  await made('/v1/integration-points', {
    name,
    connector: 'ticketing',
    environments: { test: ids, prod: ids },
  });

/** Ids of the providers that the page of a new session shows, with the session's token. */
async function offered(environment: string, integration_point_id: string, more: object = {}) {
  const { token, session } = await made<{ token: string; session: { providers: string[] } }>(
    `/v1/connect/${accounts[environment]}/sessions`,
    { integration_point_id, ...more },
  );
  const path = '/v1/capabilities/providers';
  const { result } = await service.call<Described[]>('GET', path, undefined, token);
  return { token, session, ids: result.map(({ id }) => id) };
}

it('says of each provider whose customers it is offered to', async () => {
  const { result } = await service.call<Described[]>('GET', '/v1/capabilities/providers');
  const inProduction = result.filter(({ release }) => release.environments.includes('prod'));
  const isShown = ({ proof }: Described) => proof !== undefined && proof !== 'none';
  expect(inProduction.map(({ id }) => id)).toEqual(
    result.flatMap((one) => (isShown(one) && one.id !== draft ? one.id : [])),
  );
  expect(inProduction.filter(({ id }) => id.endsWith('_mock'))).toEqual([]);
  expect(result.filter(({ release }) => !release.environments.includes('test'))).toEqual([]);
});

it('offers customers in production neither mocks nor drafts where the point allows every provider', async () => {
  const { ids, token } = await offered('prod', 'every');
  expect(ids).toEqual(expect.arrayContaining(['ticketing_jira', proven]));
  expect(ids.filter((id) => [...mocks, draft, unproven].includes(id))).toEqual([]);
  const body = { integration_point_id: 'every', provider_config: { type: mocks[0] } };
  const path = `/v1/integrations/${accounts['prod']}`;
  const { status, message } = await service.call('POST', path, body, token);
  expect([status, message.split(':')[0]]).toEqual([400, 'body /provider_config/type']);
});

it('offers customers in test all of them', async () => {
  const { ids, session } = await offered('test', 'every');
  expect(ids).toEqual(expect.arrayContaining(['ticketing_jira', ...mocks, draft, unproven]));
  expect(session.providers).toEqual(['*']);
});

it('offers what the point or the session names', async () => {
  const { ids } = await offered('prod', 'named');
  expect(ids).toEqual(expect.arrayContaining(['ticketing_jira', mocks[0], draft]));
  expect(ids.filter((id) => [mocks[1], unproven].includes(id))).toEqual([]);
  const chosen = await offered('prod', 'every', { providers: [mocks[1]] });
  expect(chosen.ids).toEqual([mocks[1]]);
});

it('lets the host create an integration of a mock in production by the API', async () => {
  const body = { integration_point_id: 'every', provider_config: { type: mocks[0] } };
  await made(`/v1/integrations/${accounts['prod']}`, body);
});

it('goes on while a document of the organization is no longer valid, and says which', async () => {
  const owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  await owner.query(
    `update customs set data = 'provider: [', updated_at = now() where providers && $1`,
    [[unproven]],
  );
  await owner.end();
  const { session } = await made<{ session: { providers: string[] } }>(
    `/v1/connect/${accounts['prod']}/sessions`,
    { integration_point_id: 'every' },
  );
  expect(session.providers).toEqual(expect.arrayContaining(['ticketing_jira', proven]));
  const listed = await service.call<Described[]>('GET', '/v1/capabilities/providers');
  const ids = listed.result.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['ticketing_jira', draft, proven]));
  expect(ids).not.toContain(unproven);
  const { status, message } = await service.call('GET', `/v1/capabilities/providers/${unproven}`);
  expect([status, message]).toEqual([502, expect.stringContaining('is not valid: ')]);
});
