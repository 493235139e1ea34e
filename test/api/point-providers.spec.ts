import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { documentOf } from './add-provider.js';
import { type Service, startService } from './service.js';

interface Point {
  id: string;
  name: string;
  environments: { test?: string[]; prod?: string[] };
}

const draft = 'ticketing_orbit_desk';
const mock = 'ticketing_jira_mock'; // of this installation, and not of the contract
const path = '/v1/integration-points';
const list = 'ticketing_query_tickets';
const draftOf = (provider: string) =>
  documentOf(provider, list, { facts: 'availability: in-development' });

let service: Service;
beforeAll(async () => {
  service = await startService();
  await store(draft);
});
afterAll(() => service.stop());

async function store(provider: string, token?: string): Promise<string> {
  const body = { data: draftOf(provider) };
  const { result } = await service.call<{ custom: { id: string } }>(
    'POST',
    '/v1/customs',
    body,
    token,
  );
  return result.custom.id;
}

const post = async <Result = Point>(body: object, token?: string) =>
  await service.call<Result>(
    'POST',
    path,
    { connector: 'ticketing', environments: {}, ...body },
    token,
  );

async function create(body: object): Promise<Point> {
  const { status, message, result } = await post(body);
  expect([status, message]).toEqual([200, '']);
  return result;
}

async function found(...filters: string[]): Promise<string[]> {
  const query = filters.map((one) => `filter=${encodeURIComponent(one)}`).join('&');
  const { status, result } = await service.call<Point[]>('GET', `${path}?${query}`);
  expect(status).toBe(200);
  return result.map(({ name }) => name).sort();
}

describe('integration points', () => {
  it('name documents of the organization and mocks of the installation wherever they name providers', async () => {
    const point = await create({
      name: 'everywhere',
      environments: { test: [draft], prod: [mock, draft] },
      mappings: [{ mappings: ['default:0'], operation_ids: [list], providers: [draft] }],
      additional_mappings: [
        {
          resource: 'tickets',
          actions: ['query'],
          source: 'moon',
          destination: 'moon',
          data_type: 'any',
          providers: [draft],
        },
      ],
    });
    expect(point.environments).toEqual({ test: [draft], prod: [mock, draft] });
    await service.call('DELETE', `${path}/${point.id}`);
  });

  it('are for customers in production as they name them, drafts and mocks too', async () => {
    const { id } = await create({ name: 'live', environments: { prod: [mock, draft] } });
    const { result: made } = await service.call<{ account: { id: string } }>(
      'POST',
      '/v1/accounts',
      { name: 'live', environment: 'prod' },
    );
    const session = await service.call<{ token: string; session: { providers: string[] } }>(
      'POST',
      `/v1/connect/${made.account.id}/sessions`,
      { integration_point_id: id },
    );
    expect(session.result.session.providers).toEqual([mock, draft]);
    const integrations = `/v1/integrations/${made.account.id}`;
    for (const type of [draft, 'ticketing_mock_ticketing']) {
      const body = { integration_point_id: id, provider_config: { type } };
      const { status } = await service.call('POST', integrations, body);
      expect([type, status]).toEqual([type, type === draft ? 200 : 400]);
    }
  });

  it('refuse an id that nothing has, at its place, with the one that was probably meant', async () => {
    const wrong = 'ticketing_orbit_dest';
    const refused = await post({ environments: { test: ['*'], prod: [mock, wrong] } });
    expect([refused.status, refused.message]).toEqual([
      400,
      'body /environments/prod/1: is not the id of a provider',
    ]);
    expect(refused.remediation).toMatch(`Did you mean ${draft}? `);
    expect(refused.remediation).toMatch('POST /v1/customs');
    const chain = {
      mappings: ['default:0'],
      operation_ids: [list],
      providers: [wrong],
    };
    const { message } = await post({ mappings: [chain] });
    expect(message).toBe('body /mappings/0/providers/0: is not the id of a provider');
  });

  it('refuse the document of another organization', async () => {
    const other = await service.organization('others');
    const theirs = 'ticketing_comet_desk';
    await store(theirs, other.access);
    const body = { environments: { prod: [theirs] } };
    expect((await post(body)).status).toBe(400);
    expect((await post(body, other.access)).status).toBe(200);
  });

  it('name ids of the contract that nothing serves yet', async () => {
    await create({ name: 'later', environments: { prod: ['ticketing_torq'] } });
  });

  it('keep the documents that they name from being deleted or renamed', async () => {
    const other = 'ticketing_ring_desk';
    const custom = await store(other);
    const { id } = await create({ name: 'ring', environments: { prod: [other] } });
    const renamed = {
      op: 'replace',
      path: '/data',
      value: draftOf('ticketing_ring_desk_2'),
    };
    for (const [method, body] of [['DELETE'], ['PATCH', [renamed]]] as const) {
      const refused = await service.call(method, `/v1/customs/${custom}`, body);
      expect([refused.status, refused.message]).toEqual([
        409,
        'the provider is named by the integration points "ring"',
      ]);
    }
    const emptied = [{ op: 'replace', path: '/environments/prod', value: ['*'] }];
    await service.call('PATCH', `${path}/${id}`, emptied);
    expect((await service.call('DELETE', `/v1/customs/${custom}`)).status).toBe(204);
    await service.call('DELETE', `${path}/${id}`);
  });

  it('can be changed while they name a provider that is gone, and name no further one', async () => {
    const gone = 'ticketing_gone_desk';
    await store(gone);
    const { id } = await create({ name: 'gone', environments: { prod: [gone] } });
    const owner = new pg.Client({ connectionString: service.databaseUrl });
    await owner.connect();
    await owner.query('delete from customs where $1 = any (providers)', [gone]);
    await owner.end();
    const patch = (...body: object[]) => service.call('PATCH', `${path}/${id}`, body);
    const changed = await patch({ op: 'replace', path: '/fullname', value: 'Gone' });
    expect([changed.status, changed.message]).toEqual([200, '']);
    const lost = 'ticketing_lost_desk';
    expect((await patch({ op: 'add', path: '/environments/prod/-', value: lost })).message).toBe(
      'body /environments/prod/1: is not the id of a provider',
    );
  });

  it('are found by the providers that they allow in an environment', async () => {
    await create({ name: 'all-of-it', environments: { test: ['*'], prod: [mock] } });
    await create({ name: 'all-chat', connector: 'chat', environments: { test: ['*'] } });
    expect(await found(`environments.test[eq]${draft}`)).toEqual(['all-of-it']);
    expect(await found(`environments.prod[eq]${draft}`)).toEqual(['live']);
    expect(await found(`environments.prod[in]${mock},${draft}`)).toEqual(['all-of-it', 'live']);
    expect(await found(`environments.test[eq]chat_slack`)).toEqual(['all-chat']);
    expect(await found('connector[eq]chat', `environments.test[neq]chat_slack`)).toEqual([]);
    expect(await found(`environments.test[neq]${draft}`)).toContain('live');
  });

  it('and the deletion of a document that they name at the same moment do not both succeed', async () => {
    for (let round = 0; round < 10; round += 1) {
      const raced = `ticketing_raced_${round}`;
      const custom = await store(raced);
      const [named, deleted] = await Promise.all([
        post({ name: `raced-${round}`, environments: { test: [raced] } }),
        service.call('DELETE', `/v1/customs/${custom}`),
      ]);
      expect(['200 409', '400 204']).toContain(`${named.status} ${deleted.status}`);
    }
  });
});
