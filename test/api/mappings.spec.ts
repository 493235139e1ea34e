import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

interface Mapping {
  id: string;
  name: string;
  fullname: string;
  data: string;
}

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

const document = (source: string) =>
  `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: ${source}\n`;
async function create(body: object): Promise<Mapping> {
  const { status, message, result } = await service.call('POST', '/v1/mappings', body);
  expect([status, message]).toEqual([200, '']);
  return result['mapping'] as unknown as Mapping;
}
const apply = (mappings: string[], data: object) =>
  service.call('POST', '/v1/mappings/apply', { mappings, data });

describe('custom mappings', () => {
  it('"A UUID is generated when the mapping is created; the mapping can be referenced by name or by that UUID"', async () => {
    const mapping = await create({ fullname: 'Loud Title', data: document('root.a = this.a') });
    expect(mapping.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(mapping).toMatchObject({ name: 'loud-title', fullname: 'Loud Title' });
    for (const reference of [mapping.id, mapping.name]) {
      expect((await service.call('GET', `/v1/mappings/${reference}`)).result).toEqual(mapping);
      expect((await apply([reference], { a: 1 })).result).toEqual({ mapping: { a: 1 } });
    }
  });

  it('find the integrations and points whose chains name them, by name or by id', async () => {
    const used = await create({ name: 'found-by', data: document('root = this') });
    const other = await create({ name: 'found-by-2', data: document('root = this') });
    const chain = (...mappings: string[]) => ({
      mappings: [{ operation_ids: ['ticketing_query_tickets'], mappings }],
    });
    await service.call('POST', '/v1/accounts', { name: 'finds' });
    const provider_config = { type: 'ticketing_mock_ticketing' };
    for (const [name, body] of [
      ['by-name', chain('default:0', used.name)],
      ['by-id', chain('default:0', used.id)],
      ['by-other', chain('default:0', other.name)],
      ['by-none', {}],
    ] as const) {
      const created = { name, provider_config, ...body };
      expect((await service.call('POST', '/v1/integrations/finds', created)).status).toBe(200);
    }
    await service.call('POST', '/v1/integration-points', {
      name: 'point-by-name',
      connector: 'ticketing',
      environments: { test: ['*'], prod: ['*'] },
      mappings: [{ ...chain(used.name).mappings[0], providers: ['*'] }],
    });
    const names = async (list: string, filter: string) => {
      const query = `filter=${encodeURIComponent(filter)}&total=true`;
      const { result, status } = await service.call('GET', `/v1/${list}?${query}`);
      expect([list, filter, status]).toEqual([list, filter, 200]);
      return (result as never as { name: string }[]).map(({ name }) => name);
    };
    const either = `mappings[in]${used.name},${used.id}`;
    expect(await names('integrations', either)).toEqual(['by-id', 'by-name']);
    expect(await names('integrations', `mappings[eq]${used.name}`)).toEqual(['by-name']);
    expect(await names('integrations/finds', `mappings[eq]${other.name}`)).toEqual(['by-other']);
    expect(await names('integration-points', either)).toEqual(['point-by-name']);
    expect(await names('integrations/finds', `mappings[neq]${used.name}`)).toEqual([
      'by-id',
      'by-none',
      'by-other',
    ]);
  });

  it('leave their documents out of lists', async () => {
    const { name } = await create({ name: 'listed', data: document('root = this') });
    const { result } = await service.call('GET', `/v1/mappings?filter=name%5Beq%5D${name}`);
    expect(result).toMatchObject([{ name }]);
    expect((result as never as object[])[0]).not.toHaveProperty('data');
  });

  it.each([
    [
      '"engine: Only one engine exists"',
      'engine: jq\nversion: "1.0"\ntemplates: {default: root = this}\n',
      /engine is "jq"/,
    ],
    [
      '"version: Only `1.0` exists"',
      'engine: bloblang_direct\nversion: "2.0"\ntemplates: {default: root = this}\n',
      /version/,
    ],
    [
      '"A default template must always exist"',
      'engine: bloblang_direct\nversion: "1.0"\ntemplates: {other: root = this}\n',
      /default/,
    ],
    ['"templates: yes"', 'engine: bloblang_direct\nversion: "1.0"\n', /templates/],
    ['a template that does not parse', document('root = this.a.uppercase('), /line 4, column \d+/],
  ])('refuses with line and column: %s', async (_rule, data, message) => {
    const refused = await service.call('POST', '/v1/mappings', { data });
    expect([refused.status, refused.message]).toEqual([400, expect.stringMatching(message)]);
    expect(refused.message).toMatch(/line \d+, column \d+/);
  });

  it('run their newest document from the moment of an update', async () => {
    const mapping = await create({ name: 'versioned', data: document('root.v = 1') });
    expect((await apply(['versioned'], {})).result).toEqual({ mapping: { v: 1 } });
    const path = `/v1/mappings/${mapping.id}`;
    await service.call('PUT', path, { ...mapping, data: document('root.v = 2') });
    expect((await apply(['versioned'], {})).result).toEqual({ mapping: { v: 2 } });
    const patched = await service.call('PATCH', path, [
      { op: 'replace', path: '/data', value: document('root.v = 3') },
    ]);
    expect(patched.status).toBe(200);
    expect((await apply(['versioned'], {})).result).toEqual({ mapping: { v: 3 } });
    const wrong = await service.call('PATCH', path, [
      { op: 'replace', path: '/data', value: document('root = nowhere()') },
    ]);
    expect([wrong.status, wrong.message]).toEqual([400, expect.stringContaining('nowhere')]);
    expect((await apply(['versioned'], {})).result).toEqual({ mapping: { v: 3 } });
  });

  it.each(['id', 'name'] as const)('stay while a chain uses them by %s', async (key) => {
    const mapping = await create({ name: `used-by-${key}`, data: document('root = this') });
    const made = await service.call('POST', '/v1/accounts', {});
    const account = made.result['account'] as unknown as { id: string };
    const integration = await service.call('POST', `/v1/integrations/${account.id}`, {
      name: `user-of-${key}`,
      provider_config: { type: 'ticketing_mock_ticketing' },
      mappings: [{ mappings: [mapping[key]], operation_ids: ['ticketing_query_tickets'] }],
    });
    expect([integration.status, integration.message]).toEqual([200, '']);
    const refused = await service.call('DELETE', `/v1/mappings/${mapping.id}`);
    expect([refused.status, refused.message]).toEqual([
      409,
      expect.stringContaining(`user-of-${key}`),
    ]);
    const renamed = await service.call('PATCH', `/v1/mappings/${mapping.id}`, [
      { op: 'replace', path: '/name', value: `renamed-${key}` },
    ]);
    expect(renamed.status).toBe(key === 'name' ? 409 : 200);
    const { id } = integration.result['integration'] as unknown as { id: string };
    await service.call('DELETE', `/v1/integrations/${account.id}/${id}`);
    expect((await service.call('DELETE', `/v1/mappings/${mapping.id}`)).status).toBe(204);
    expect((await service.call('GET', `/v1/mappings/${mapping.id}`)).status).toBe(404);
  });

  it('stay while a chain of an integration point uses them', async () => {
    const mapping = await create({ name: 'used-by-point', data: document('root = this') });
    const { id, name } = mapping;
    const point = await service.call('POST', '/v1/integration-points', {
      name: 'user-point',
      connector: 'ticketing',
      environments: { prod: ['*'] },
      mappings: [{ mappings: [name], operation_ids: ['ticketing_get_ticket'], providers: ['*'] }],
    });
    expect([point.status, point.message]).toEqual([200, '']);
    const refused = await service.call('DELETE', `/v1/mappings/${id}`);
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining('user-point')]);
  });

  it('belong to their organization', async () => {
    const mapping = await create({ name: 'ours', data: document('root = this') });
    const other = await service.organization('stranger');
    const path = `/v1/mappings/${mapping.id}`;
    expect((await service.call('GET', path, undefined, other.access)).status).toBe(404);
    const body = { mappings: [mapping.id], data: {} };
    const applied = await service.call('POST', '/v1/mappings/apply', body, other.access);
    expect([applied.status, applied.message]).toEqual([400, expect.stringContaining('mapping')]);
  });
});

describe('POST /v1/mappings/apply', () => {
  it('finds the shared templates for OCSF', async () => {
    const source = 'root = this.level.apply("ocsf.severity")';
    await create({ name: 'severities', data: document(source) });
    expect((await apply(['severities'], { level: 'HIGH' })).result).toEqual({
      mapping: { severity_id: 4, severity: 'High' },
    });
  });

  it('"applies them as a chain (output of each is input of the next)"', async () => {
    await create({ name: 'double', data: document('root.n = this.n * 2') });
    await create({ name: 'increase', data: document('root.n = this.n + 1') });
    expect((await apply(['double', 'increase'], { n: 5 })).result).toEqual({ mapping: { n: 11 } });
    expect((await apply(['increase', 'double'], { n: 5 })).result).toEqual({ mapping: { n: 12 } });
  });

  it('"the `default:0` mapping is unavailable because there is no provider context"', async () => {
    const { status, message } = await apply(['default:0'], {});
    expect([status, message]).toEqual([400, expect.stringContaining('default:0')]);
  });

  it('"custom and built-in mappings are allowed": those of a provider by its id', async () => {
    const desk = { id: 'ITS-1', title: 'Broken', severity: 'P1', opened: 'a', changed: 'b' };
    await create({ name: 'loud', data: document('root.name = this.name.uppercase()') });
    const mock = await apply(['ticketing_mock_ticketing/ticket', 'loud'], desk);
    expect([mock.status, mock.result]).toMatchObject([200, { mapping: { name: 'BROKEN' } }]);
    const jira = await apply(['ticketing_jira/ticket-request'], { priority: 'LOW', name: 'a' });
    expect(jira.result).toMatchObject({ mapping: { priority: { names: ['Low', 'Minor'] } } });
    const refused = await apply(['ticketing_jira/nothing'], {});
    expect([refused.status, refused.remediation]).toEqual([
      400,
      expect.stringContaining('ticketing_jira/ticket-request'),
    ]);
    const unknown = await apply(['ticketing_nobody/ticket'], {});
    expect([unknown.status, unknown.remediation]).toEqual([
      400,
      expect.stringContaining('ticketing_jira'),
    ]);
  });

  it('adds the data as raw_data with include_raw_data', async () => {
    await create({ name: 'short', data: document('root.n = this.n') });
    const body = { mappings: ['short'], data: { n: 1, rest: 'kept' } };
    const path = '/v1/mappings/apply';
    expect((await service.call('POST', `${path}?include_raw_data=true`, body)).result).toEqual({
      mapping: { n: 1, raw_data: { n: 1, rest: 'kept' } },
    });
    expect((await service.call('POST', `${path}?include_raw_data=false`, body)).result).toEqual({
      mapping: { n: 1 },
    });
  });

  it('says which mapping and template failed, and why', async () => {
    await create({ name: 'fine', data: document('root = this') });
    await create({ name: 'fails', data: document('root.a = this.a.uppercase()') });
    const { status, message } = await apply(['fine', 'fails'], { a: 1 });
    expect(status).toBe(400);
    expect(message).toMatch(
      /fails:1 failed: fails:\d+:\d+ in template default, root\.a: expected string, got number 1/,
    );
  });

  it('says when a mapping drops the document', async () => {
    await create({ name: 'drops', data: document('root = deleted()') });
    const { status, message } = await apply(['drops'], { a: 1 });
    expect([status, message]).toEqual([400, expect.stringContaining('drops')]);
  });
});
