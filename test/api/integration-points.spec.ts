import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

interface Point {
  id: string;
  name: string;
  environments: { test?: string[]; prod?: string[] };
}

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

const mock = 'ticketing_mock_ticketing';
const path = '/v1/integration-points';
async function create(body: object): Promise<Point> {
  const { status, message, result } = await service.call('POST', path, {
    connector: 'ticketing',
    environments: { test: ['*'], prod: [mock] },
    ...body,
  });
  expect([status, message]).toEqual([200, '']);
  return result as unknown as Point;
}
async function account(environment = 'prod'): Promise<string> {
  const { result } = await service.call('POST', '/v1/accounts', { environment });
  return (result['account'] as unknown as { id: string }).id;
}
const integrate = (accountId: string, body: object) =>
  service.call('POST', `/v1/integrations/${accountId}`, {
    provider_config: { type: mock },
    ...body,
  });
const nightly = {
  operation: 'siem_query_events',
  enabled: true,
  frequency: { type: 'periodic', value: '1d' },
};

describe('integration points', () => {
  it('are created, found by id and name, changed and deleted', async () => {
    const point = await create({ fullname: 'Service Desk', description: 'Where tickets go' });
    expect(point).toMatchObject({ name: 'service-desk', description: 'Where tickets go' });
    for (const key of [point.id, point.name])
      expect((await service.call('GET', `${path}/${key}`)).result).toEqual(point);
    const put = await service.call('PUT', `${path}/${point.id}`, { ...point, description: 'New' });
    expect(put.result).toMatchObject({ id: point.id, description: 'New' });
    const patched = await service.call('PATCH', `${path}/${point.id}`, [
      { op: 'remove', path: '/environments/test' },
    ]);
    expect(patched.result).toMatchObject({ environments: { prod: [mock] } });
    expect(patched.result['environments']).not.toHaveProperty('test');
    expect((await service.call('DELETE', `${path}/${point.id}`)).status).toBe(204);
    expect((await service.call('GET', `${path}/${point.id}`)).status).toBe(404);
  });

  it('are found by the id that existing clients know, which is their name', async () => {
    const known = '0e5f1f0c-6a2b-4f3e-9c55-0d2a8c1b7f11';
    const point = await create({ name: known, fullname: 'Service Desk' });
    expect((await service.call('GET', `${path}/${known}`)).result).toEqual(point);
    const made = await integrate(await account(), { integration_point_id: known });
    const { id } = made.result['integration'] as unknown as { id: string };
    for (const key of [known, point.id]) {
      const filter = encodeURIComponent(`integration_point_id[eq]${key}`);
      const listed = await service.call<{ id: string }[]>(
        'GET',
        `/v1/integrations?filter=${filter}`,
      );
      expect(listed.result.map((one) => one.id)).toEqual([id]);
    }
    expect(
      (await service.call('GET', '/v1/integrations?filter=integration_point_id[eq]x')).result,
    ).toEqual([]);
  });

  it('take only providers of their connector', async () => {
    const { status, message } = await service.call('POST', path, {
      connector: 'ticketing',
      environments: { prod: ['notifications_mock_notifications'] },
    });
    expect([status, message]).toEqual([400, expect.stringContaining('ticketing')]);
  });

  it('allow an integration the providers of the environment of its account', async () => {
    const { id } = await create({ environments: { test: [mock] } });
    const allowed = await integrate(await account('test'), { integration_point_id: id });
    expect([allowed.status, allowed.message]).toEqual([200, '']);
    const refused = await integrate(await account('prod'), { integration_point_id: id });
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining('prod')]);
  });

  it('give their scheduled operations to an integration at its creation; later changes leave it alone', async () => {
    const point = await create({
      connector: 'siem',
      environments: { prod: ['*'] },
      scheduled_operations: [nightly],
    });
    const made = await integrate(await account(), {
      integration_point_id: point.id,
      provider_config: { type: 'siem_mock_siem' },
    });
    const integration = made.result['integration'] as unknown as { id: string; account_id: string };
    expect(integration).toMatchObject({ scheduled_operations: [nightly] });
    await service.call('PATCH', `${path}/${point.id}`, [
      { op: 'remove', path: '/scheduled_operations' },
    ]);
    const kept = await service.call(
      'GET',
      `/v1/integrations/${integration.account_id}/${integration.id}`,
    );
    expect(kept.result).toMatchObject({ scheduled_operations: [nightly] });
  });

  it('stay while integrations belong to them', async () => {
    const point = await create({});
    await integrate(await account(), { integration_point_id: point.id });
    const refused = await service.call('DELETE', `${path}/${point.id}`);
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining('1 ')]);
  });

  it('own credentials, which go with them', async () => {
    const point = await create({});
    const made = await service.call('POST', `/v1/credentials/${point.id}`, {
      config: { type: 'token', secret: 'hidden-secret' },
    });
    expect([made.status, made.message]).toEqual([200, '']);
    const listed = await service.call('GET', `/v1/credentials/${point.id}`);
    expect(JSON.stringify(listed.result)).not.toContain('hidden-secret');
    const lookup = `/v1/credentials/lookup/${String(made.result['id'])}`;
    expect((await service.call('GET', lookup)).status).toBe(200);
    await service.call('DELETE', `${path}/${point.id}`);
    expect((await service.call('GET', lookup)).status).toBe(404);
  });

  it('name only mappings that exist and operations of their connector in their chains', async () => {
    const chain = {
      providers: ['*'],
      mappings: ['nowhere'],
      operation_ids: ['ticketing_get_ticket'],
    };
    const body = { connector: 'ticketing', environments: { prod: ['*'] } };
    const missing = await service.call('POST', path, { ...body, mappings: [chain] });
    expect([missing.status, missing.message]).toEqual([400, expect.stringContaining('mapping')]);
    const providers = { ...chain, mappings: ['default:0'], providers: ['siem_mock_siem'] };
    const stranger = await service.call('POST', path, { ...body, mappings: [providers] });
    expect([stranger.status, stranger.message]).toEqual([
      400,
      expect.stringContaining('ticketing'),
    ]);
    const foreign = { ...chain, mappings: ['default:0'], operation_ids: ['siem_query_events'] };
    const other = await service.call('POST', path, { ...body, mappings: [foreign] });
    expect([other.status, other.message]).toEqual([400, expect.stringContaining('operation')]);
  });

  it('allow what they allow also when an account changes its environment', async () => {
    const { id, name } = await create({ environments: { test: [mock] } });
    const accountId = await account('test');
    expect((await integrate(accountId, { integration_point_id: id })).status).toBe(200);
    const to = (value: string) =>
      service.call('PATCH', `/v1/accounts/${accountId}`, [
        { op: 'replace', path: '/environment', value },
      ]);
    const refused = await to('prod');
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining(name)]);
    await service.call('PATCH', `${path}/${id}`, [
      { op: 'add', path: '/environments/prod', value: ['*'] },
    ]);
    expect((await to('prod')).status).toBe(200);
  });

  it('keep their connector while integrations belong to them', async () => {
    const point = await create({});
    const toSiem = [
      { op: 'replace', path: '/connector', value: 'siem' },
      { op: 'replace', path: '/environments', value: { prod: ['*'] } },
    ];
    await integrate(await account(), { integration_point_id: point.id });
    expect((await service.call('PATCH', `${path}/${point.id}`, toSiem)).status).toBe(409);
    const unused = await create({});
    expect((await service.call('PATCH', `${path}/${unused.id}`, toSiem)).status).toBe(200);
  });

  describe('with additional mappings', () => {
    const field = (destination: string, more: object = {}) => ({
      resource: 'tickets',
      actions: ['read'],
      source: 'state',
      data_type: 'string',
      destination,
      ...more,
    });
    const template = (destination: string, type?: string, providers = ['*']) =>
      field(destination, { providers, ...(type === undefined ? {} : { mapping_type: type }) });
    const point = () =>
      create({
        additional_mappings: [
          template('usual'),
          template('optional', 'optional'),
          template('recommended', 'recommended', [mock]),
          template('other', 'recommended', ['ticketing_jira']),
          template('fixed', 'fixed'),
        ],
      });
    const destinations = ({ result }: { result: unknown }) => {
      const { integration } = result as { integration: Record<string, unknown> };
      const mappings = (integration['additional_mappings'] ?? []) as { destination: string }[];
      return mappings.map(({ destination }) => destination);
    };

    it('give an integration those they recommend for its provider, unless it says which it wants', async () => {
      const { id } = await point();
      const accountId = await account();
      const quiet = await integrate(accountId, { integration_point_id: id });
      expect(destinations(quiet)).toEqual(['recommended']);
      const none = { integration_point_id: id, additional_mappings: [] };
      expect(destinations(await integrate(accountId, none))).toEqual([]);
      const chosen = { integration_point_id: id, additional_mappings: [field('optional')] };
      expect(destinations(await integrate(accountId, chosen))).toEqual(['optional']);
    });

    it('run the fixed ones on every integration, which may not map to the same field itself', async () => {
      const { id } = await point();
      const accountId = await account();
      for (const destination of ['fixed', 'custom_fields.fixed']) {
        const refused = await integrate(accountId, {
          integration_point_id: id,
          additional_mappings: [field('mine'), field(destination)],
        });
        expect([refused.status, refused.message]).toEqual([
          400,
          expect.stringContaining('/additional_mappings/1/destination'),
        ]);
      }
      const writes = { ...field('fixed'), actions: ['create'] };
      const fine = await integrate(accountId, {
        integration_point_id: id,
        additional_mappings: [writes],
      });
      expect([fine.status, fine.message]).toEqual([200, '']);
      const { integration } = fine.result as unknown as { integration: { id: string } };
      const resolved = await service.bus.call('integrations.resolve', {
        organizationId: service.administrator.organizationId,
        integrationId: integration.id,
      });
      expect(resolved.additionalMappings.map((one) => [one.destination, one.actions])).toEqual([
        ['fixed', ['create']],
        ['fixed', ['read']],
      ]);
    });
  });

  it.each([
    ['an operation of another connector', { operation: 'siem_query_events' }, 'operation'],
    ['more often than every five minutes', { frequency: { type: 'periodic', value: '4m' } }, '5m'],
    ['no frequency', { frequency: { type: 'periodic', value: 'daily' } }, 'frequency'],
    ['a beginning long ago', { backfill_from_time: '400d' }, 'year'],
    ['a beginning long ago, as a time', { backfill_from_time: '2020-01-01T00:00:00Z' }, 'year'],
    ['an invalid start time', { backfill_from_time: 'yesterday' }, 'not a valid time'],
    ['a start time in the future', { backfill_from_time: '2199-01-01T00:00:00Z' }, 'future'],
    [
      'an invalid time of its runs',
      { run_limits: { max_duration: 'long' } },
      'not a valid duration',
    ],
    ['runs without a page', { run_limits: { max_pages: 0 } }, 'at least 1'],
  ])('refuse a schedule of %s, as integrations do', async (_what, wrong, said) => {
    const schedule = { ...nightly, operation: 'edr_query_alerts', ...wrong };
    const made = await service.call('POST', path, {
      connector: 'edr',
      environments: { prod: ['*'] },
      scheduled_operations: [schedule],
    });
    expect([made.status, made.message]).toEqual([400, expect.stringContaining(said)]);
    const integration = await integrate(await account(), {
      provider_config: { type: 'edr_crowdstrike_mock', dataset: 'basic_v0' },
      scheduled_operations: [schedule],
    });
    expect([integration.status, integration.message]).toEqual([400, made.message]);
  });

  it('take a schedule with a beginning within the last year', async () => {
    const lately = new Date(Date.now() - 86_400_000).toISOString();
    for (const backfill_from_time of ['7d', '365d', lately]) {
      const schedule = { ...nightly, backfill_from_time };
      const made = await service.call('POST', path, {
        connector: 'siem',
        environments: { prod: ['*'] },
        scheduled_operations: [schedule],
      });
      expect([made.status, made.message]).toEqual([200, '']);
    }
  });
});
