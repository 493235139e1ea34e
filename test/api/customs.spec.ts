import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

let service: Service;
let server: Server;
let url: string;
let jobs = 0;
let polls = 0;
const made: unknown[] = [];
const key = 'customs-secret-key';

beforeAll(async () => {
  service = await startService();
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const answer = route(`${request.method} ${request.url?.split('?')[0] ?? ''}`, text);
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { why: 'nothing here' }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await service.stop();
  server.closeAllConnections();
  server.close();
});

/** Provider with things and parts, an export that takes time, and a list of posted bodies. */
function route(call: string, text: string): unknown {
  if (call === 'POST /exports') return { job: (jobs += 1) };
  if (/^GET \/exports\/\d+$/.test(call)) {
    polls += 1;
    return { state: polls % 4 === 0 ? 'done' : 'running' };
  }
  if (/^GET \/exports\/\d+\/rows$/.test(call)) return [{ id: 'e1' }, { id: 'e2' }];
  if (call === 'GET /things')
    return [
      { id: 1, parts: [10, 11] },
      { id: 2, parts: [20] },
    ];
  const part = /^GET \/parts\/(\d+)$/.exec(call)?.[1];
  if (part !== undefined) return { part: Number(part), size: `${part} mm` };
  if (call === 'POST /things') {
    const body = JSON.parse(text) as { name?: string };
    if (body.name === undefined) return undefined;
    made.push(body);
    return { id: 100 + made.length, ...body };
  }
  if (call === 'GET /things/1') return { id: 1, name: 'one', colour: 'red' };
  if (call === 'PATCH /things/1') return { id: 1, name: 'one', ...(JSON.parse(text) as object) };
  if (call === 'DELETE /things/1') return {};
  return undefined;
}

const document = `
provider: custom_things
version: 1.0.0
fullname: Things
vendor: Tests
configuration:
  properties: { url: { type: string, pattern: '^http' } }
  required: [url]
credentials:
  credential:
    token: { send: query, name: key, value: this.credential.secret }
http:
  base_url: this.config.url
  message: this.body.why
operations:
  custom_query:
    resource: things
    fields: { id: { type: number } }
    steps:
      - { name: things, path: /things }
      - { name: parts, path: '/parts/{this.item}', each: 'this.steps.things.map_each(t -> t.parts).flatten()', concurrency: 2 }
    rows: 'this.steps.things.map_each(t -> t.assign({"sizes": this.steps.parts.filter(p -> t.parts.contains(p.part)).map_each(p -> p.size)}))'
  custom_get:
    resource: things
    steps: [{ path: '/things/{this.path.id}' }]
    record: this.steps.call
  custom_post:
    resource: things
    steps: [{ method: POST, path: /things, body: root = this.body }]
    record: this.steps.call
  custom_patch:
    resource: things
    current: custom_get
    steps: [{ method: PATCH, path: '/things/{this.path.id}', body: root = this.changes }]
    record: this.steps.call
  custom_delete:
    steps: [{ method: DELETE, path: '/things/{this.path.id}' }]
  siem_query_events:
    steps:
      - { name: export, method: POST, path: /exports }
      - { name: state, path: '/exports/{this.steps.export.job}', poll: { until: this.body.state == "done", every: 1 } }
      - { name: rows, path: '/exports/{this.steps.export.job}/rows' }
    rows: this.steps.rows
`;

async function integration(type: string, config: object = {}): Promise<string> {
  const name = `customs-${Math.trunc(performance.now() * 1000)}`;
  const { result } = await service.call('POST', '/v1/accounts', { name });
  const { account } = result as unknown as { account: { id: string } };
  const created = await service.call('POST', `/v1/integrations/${account.id}`, {
    provider_config: { type, url, credential: { type: 'token', secret: key }, ...config },
  });
  if (created.status !== 200) throw new Error(created.message);
  return (created.result as unknown as { token: { access: { secret: string } } }).token.access
    .secret;
}

describe('customs', () => {
  it('are stored, listed, changed and deleted, and described like any provider', async () => {
    const stored = await service.call('POST', '/v1/customs', { data: document });
    expect(stored.status).toBe(200);
    const { custom } = stored.result as unknown as { custom: { id: string; name: string } };
    expect(custom).toMatchObject({ name: 'things', fullname: 'Things', data: document });
    const { result: listed } = await service.call('GET', '/v1/customs');
    expect(listed).toMatchObject([{ id: custom.id }]);
    const capabilities = await service.call(
      'GET',
      '/v1/capabilities/providers/custom_things?expand=operations&expand=provider_config',
    );
    expect(capabilities.result).toMatchObject({ fullname: 'Things', connector_id: 'custom' });

    const twice = await service.call('POST', '/v1/customs', { data: document, name: 'other' });
    expect([twice.status, twice.message]).toEqual([409, expect.stringContaining('custom_things')]);
    const builtIn = await service.call('POST', '/v1/customs', {
      data: document
        .replace('custom_things', 'ticketing_jira')
        .replace(/ {2}(custom|siem)_/g, '  $1_'),
    });
    expect(builtIn.status).toBe(400);
    const renamed = await service.call('PATCH', `/v1/customs/${custom.id}`, [
      { op: 'replace', path: '/fullname', value: 'All things' },
    ]);
    expect(renamed.result).toMatchObject({ fullname: 'All things', name: 'things' });
    const described = () => service.call('GET', '/v1/capabilities/providers/custom_things');
    for (const vendor of ['Changed', 'Tests']) {
      const data = document.replace('vendor: Tests', `vendor: ${vendor}`);
      const patch = [{ op: 'replace', path: '/data', value: data }];
      expect((await service.call('PATCH', '/v1/customs/things', patch)).status).toBe(200);
      expect((await described()).result).toMatchObject({ vendor });
    }
    await integration('custom_things');
    const used = await service.call('DELETE', '/v1/customs/things');
    expect([used.status, used.message]).toEqual([409, expect.stringContaining('integrations')]);
    const other = await service.call('POST', '/v1/customs', {
      name: 'others',
      data: document.replace('custom_things', 'custom_others'),
    });
    expect(other.status).toBe(200);
    expect((await service.call('DELETE', '/v1/customs/others')).status).toBe(204);
    expect((await service.call('GET', '/v1/customs/others')).status).toBe(404);
  });

  it('with faults are refused with every one of them at its line and column', async () => {
    const wrong = await service.call('POST', '/v1/customs', {
      data: document
        .replace('this.config.url', 'this.config.url.nope()')
        .replace('root = this.body }', 'root = }'),
    });
    expect(wrong.status).toBe(400);
    expect(wrong.message).toMatch(/line \d+, column \d+/);
  });

  it('are visible to their own organization alone', async () => {
    const other = await service.organization('beta');
    const { result } = await service.call('GET', '/v1/customs', undefined, other.access);
    expect(result).toEqual([]);
    const seen = await service.call('GET', '/v1/customs/things', undefined, other.access);
    expect(seen.status).toBe(404);
    const described = await service.call(
      'GET',
      '/v1/capabilities/providers/custom_things',
      undefined,
      other.access,
    );
    expect(described.status).toBe(404);
  });

  it('check the configuration of integrations', async () => {
    await expect(integration('custom_things', { url: 'ftp://x' })).rejects.toThrow(
      '/provider_config/url',
    );
    await expect(
      integration('custom_things', { credential: { type: 'basic', username: 'u', secret: 's' } }),
    ).rejects.toThrow('/provider_config/credential/type');
    await expect(integration('custom_nothing')).rejects.toThrow('is not a provider that this');
  });

  it('of one vendor may serve several domains by several ids', async () => {
    const data = `
version: 1.0.0
vendor: Both
providers:
  storage_both: { fullname: Both Files }
  ticketing_both: { fullname: Both Tickets }
configuration: { properties: { url: { type: string } }, required: [url] }
http: { base_url: this.config.url }
operations:`;
    const operations = `
  storage_list_files: { steps: [{ path: /things }], rows: this.steps.call }
  ticketing_list_projects: { steps: [{ path: /things }], rows: this.steps.call }
`;
    const both = `${data}${operations}`;
    const stored = await service.call('POST', '/v1/customs', { data: both });
    expect([stored.status, stored.message]).toEqual([200, '']);
    const { custom } = stored.result as unknown as { custom: { id: string; fullname: string } };
    expect(custom.fullname).toBe('Both');
    const { result: providers } = await service.call('GET', '/v1/capabilities/providers');
    expect(providers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: 'storage_both',
          connector_id: 'storage',
          fullname: 'Both Files',
        }),
        expect.objectContaining({ id: 'ticketing_both', connector_id: 'ticketing' }),
      ]),
    );
    const twice = both.replace('storage_both', 'storage_other');
    expect(await service.call('POST', '/v1/customs', { data: twice, name: 'twice' })).toMatchObject(
      {
        status: 409,
        message: expect.stringContaining('has the id ticketing_both already'),
      },
    );

    const tickets = await integration('ticketing_both', { credential: undefined });
    const answer = await service.call(
      'GET',
      '/v1/custom/operations/query/ticketing_list_projects',
      undefined,
      tickets,
    );
    expect(answer).toMatchObject({ status: 200, result: [{ id: 1 }, { id: 2 }] });
    const files = await service.call(
      'GET',
      '/v1/custom/operations/query/storage_list_files',
      undefined,
      tickets,
    );
    expect([files.status, files.message]).toEqual([
      501,
      'the provider ticketing_both does not offer storage_list_files',
    ]);

    const path = `/v1/customs/${custom.id}`;
    const withoutTickets = both.replace(/ {2}ticketing_.*\n/g, '');
    expect(await service.call('PUT', path, { ...custom, data: withoutTickets })).toMatchObject({
      status: 409,
      message: expect.stringContaining('the provider is used by the integrations'),
    });
    const withoutFiles = both.replace(/ {2}storage_.*\n/g, '');
    expect(await service.call('PUT', path, { ...custom, data: withoutFiles })).toMatchObject({
      status: 200,
    });
  });
});

describe('the API of custom', () => {
  let token: string;
  beforeAll(async () => {
    token = await integration('custom_things');
  });
  const custom = (method: string, path: string, body?: unknown) =>
    service.call(method, `/v1/custom/operations/${path}`, body, token);
  /** Returns the whole response, including cursor and meta. */
  const query = async (path: string) => {
    const response = await fetch(`${service.url}/v1/custom/operations/query/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await response.json()) as { result: unknown; cursor: string; meta?: unknown };
  };

  it('lists, with calls for each row, filters and the records of the provider', async () => {
    const { result } = await custom('GET', 'query/custom_query?include_raw_data=true');
    expect(result).toMatchObject([
      { id: 1, sizes: ['10 mm', '11 mm'], raw_data: { id: 1 } },
      { id: 2, sizes: ['20 mm'] },
    ]);
    const filtered = await custom(
      'GET',
      `query/custom_query?filter=${encodeURIComponent('id[gt]1')}`,
    );
    expect(filtered.result).toMatchObject([{ id: 2 }]);
  });

  it('reads, creates one or several, patches and deletes', async () => {
    expect((await custom('GET', 'get/custom_get/1')).result).toEqual({
      id: 1,
      name: 'one',
      colour: 'red',
    });
    const one = await custom('POST', 'post/custom_post', { name: 'new' });
    expect(one.result).toMatchObject({ name: 'new' });
    const several = await custom('POST', 'post-batch/custom_post', [
      { name: 'a' },
      { colour: 'none' },
      { name: 'b' },
    ]);
    expect(several.result).toMatchObject([
      { name: 'a' },
      { problem: { status: 404 } },
      { name: 'b' },
    ]);
    const patched = await custom('PATCH', 'patch/custom_patch/1', [
      { op: 'replace', path: '/colour', value: 'blue' },
    ]);
    expect(patched.result).toEqual({ id: 1, name: 'one', colour: 'blue' });
    expect((await custom('DELETE', 'delete/custom_delete/1')).status).toBe(204);
  });

  it('waits for work of the provider, and gives a cursor when the time is over', async () => {
    const begun = jobs;
    const waited = await custom('GET', 'query/siem_query_events');
    expect(waited.result).toEqual([{ id: 'e1' }, { id: 'e2' }]);
    expect(jobs).toBe(begun + 1);

    const now = `siem_query_events?meta=${encodeURIComponent('request/poll_timeout(0)')}`;
    let page = await query(now);
    expect(page.result).toEqual([]);
    for (let asked = 0; page.cursor !== '' && asked < 10; asked += 1)
      page = await query(`${now}&cursor=${encodeURIComponent(page.cursor)}`);
    expect(page.result).toEqual([{ id: 'e1' }, { id: 'e2' }]);
    expect(jobs).toBe(begun + 2);
  });

  it('answers 501 to an operation that the document does not declare, and 400 to an unknown one', async () => {
    expect((await custom('GET', 'query/ticketing_query_tickets')).status).toBe(501);
    const wrong = await custom('GET', 'query/nonsense');
    expect([wrong.status, wrong.message]).toEqual([400, expect.stringContaining('operation')]);
  });

  it('never shows the secret', async () => {
    const answer = await query(`custom_query?meta=${encodeURIComponent('api/response(all)')}`);
    expect(JSON.stringify(answer)).toContain('[secret]');
    expect(JSON.stringify(answer)).not.toContain(key);
  });
});

describe('a field of provider_config that the document does not declare', () => {
  it('is not stored, which the response of each request says, without its value', async () => {
    const data = document.replaceAll('things', 'fields').replace('Things', 'Fields');
    expect((await service.call('POST', '/v1/customs', { data })).status).toBe(200);
    const { result } = await service.call('POST', '/v1/accounts', { name: 'fields' });
    const account = (result as unknown as { account: { id: string } }).account.id;
    const provider_config = {
      type: 'custom_fields',
      url,
      credential: { type: 'token', secret: key },
      uri: 'https://mistyped.example.com',
      api_key: 'a secret of somebody',
    };
    const path = `/v1/integrations/${account}`;
    const created = await service.call('POST', path, { provider_config });
    expect(created.notes).toEqual([
      '/provider_config/uri was not stored: the provider has no such field',
      '/provider_config/api_key was not stored: the provider has no such field',
    ]);
    const { integration } = created.result as unknown as { integration: { id: string } };
    const stored = await service.call('GET', `${path}/${integration.id}`);
    expect(JSON.stringify(stored.result)).not.toContain('mistyped');
    expect(JSON.stringify(created)).not.toContain('a secret of somebody');
    const patched = await service.call('PATCH', `${path}/${integration.id}`, [
      { op: 'add', path: '/provider_config/uri', value: 'https://mistyped.example.com' },
    ]);
    expect(patched.status).toBe(400);
    expect(patched.message).toContain('/provider_config/uri is not a field of the provider');
    const verified = await service.call('POST', `${path}/verify`, {
      integration: { provider_config },
    });
    expect(verified.notes).toEqual(
      expect.arrayContaining([expect.stringContaining('/provider_config/uri was not stored')]),
    );
  });
});
