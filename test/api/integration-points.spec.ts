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
});
