import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId } from '#contract';
import { makeWorld } from '#fakes';
import { listFaults, OverFake, sharedDescription } from '#test/harness';

const folder = new URL('./', import.meta.url);
const config = { url: 'https://es.example', kibana_url: 'https://kibana.example' };
const basic = (accepted: { basic?: { username: string; password: string } }) => ({
  type: 'basic',
  username: accepted.basic?.username,
  secret: accepted.basic?.password,
});
const siem = new OverFake(folder, 'siem_elasticsearch', { config, credential: basic });
const sink = new OverFake(folder, 'sink_elasticsearch', {
  config: { url: 'https://es.example', create_index: 'logs-archive-default' },
  credential: basic,
});
const world = makeWorld({ start: siem.start, dataset: 'BASIC' });
const story = world.incidents.find(({ key }) => key === 'inc-0008');

beforeAll(() => loadValidators());
beforeEach(() => {
  siem.reset();
  sink.reset();
});

const event = (uid: string, more: object = {}) => ({
  class_name: 'Base Event',
  ...{ class_uid: 0, category_uid: 0, activity_id: 99, activity_name: 'test', type_uid: 99 },
  ...{ severity_id: 1, time: siem.now, message: `event ${uid}` },
  metadata: { version: '1.3.0', uid, product: { name: 'Test', vendor_name: 'Acme' } },
  ...more,
});
// Elasticsearch maps `ip` fields of data streams as addresses.
const wrong = (uid: string) => event(uid, { device: { type_id: 0, ip: 'no address' } });
const sent = () => siem.fake.log.requests.map(({ method, path }) => `${method} ${path}`);
const bodies = (path: string) =>
  siem.fake.log.requests
    .filter((one) => one.path === path)
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>);

it.each<[OperationId, Record<string, unknown>]>([
  ['siem_query_events', { ...config, index: 'logs-network_traffic.dns-default' }],
  ['siem_query_alerts', config],
])('%s has each row once, and filters and orders as declared', async (id, configuration) => {
  const over = new OverFake(folder, 'siem_elasticsearch', {
    config: configuration,
    credential: basic,
  });
  expect(await listFaults(over, id)).toEqual([]);
});

it('the alerts are those of the company', async () => {
  const alerts = await siem.all('siem_query_alerts');
  const titles = alerts.map(({ finding_info }) => finding_info.title as string);
  expect(titles.sort()).toEqual(world.alerts.map(({ title }) => title).sort());
});

describe('events', () => {
  it('are read at one point in time, which is closed behind the last page', async () => {
    const first = await siem.call('siem_query_events', { query: { limit: 400 } });
    await siem.call('siem_post_events', { body: [event('late', { time: siem.start.getTime() })] });
    const { cursor } = first.body as { cursor: string };
    const second = await siem.call('siem_query_events', { query: { limit: 400, cursor } });
    const uids = [...first.body['result'], ...second.body['result']].map(
      (one: { metadata: { uid: string } }) => one.metadata.uid,
    );
    expect(uids).toEqual(world.events.map(({ key }) => key));
    expect(second.body).toMatchObject({ status: 'COMPLETE', cursor: '' });
    expect(sent()).toEqual([
      'POST /logs-*/_pit',
      'POST /_search',
      'POST /logs-onefold-default/_bulk',
      'POST /_search',
      'DELETE /_pit',
    ]);
    const [, continued] = bodies('/_search');
    expect(continued).toMatchObject({ search_after: [expect.any(Number), 400] });
    expect(await siem.all('siem_query_events')).toHaveLength(world.events.length + 1);
  });

  it.each([
    ['a smaller limit', {}],
    ['a filter that Elasticsearch does not apply', { filter: ['severity_id[gte]0'] }],
    ['counts', { meta: ['stats/count'] }],
  ])(
    'go on within the last page of Elasticsearch, by %s',
    async (
      _name,
      {
        meta,
        ...query
      }: {
        meta?: string[];
        filter?: string[];
      },
    ) => {
      const uids: string[] = [];
      let cursor = '';
      for (const limit of [400, 100, 20, 300]) {
        const { status, body } = await siem.call('siem_query_events', {
          query: { ...query, limit, cursor },
          ...(meta === undefined ? {} : { meta }),
        });
        expect([status, body['message']]).toEqual([200, undefined]);
        uids.push(
          ...(body['result'] as { metadata: { uid: string } }[]).map(
            ({ metadata }) => metadata.uid,
          ),
        );
        cursor = body['cursor'] as string;
        await siem.call('siem_post_events', {
          body: [event('late', { time: siem.start.getTime() })],
        });
      }
      expect(uids).toEqual(world.events.map(({ key }) => key));
      expect(cursor).toBe('');
      if (meta === undefined)
        expect(sent().filter((one) => one.endsWith('_pit'))).toEqual([
          'POST /logs-*/_pit',
          'DELETE /_pit',
        ]);
    },
  );

  it('have to be read from the beginning when the point in time has expired', async () => {
    const { body } = await siem.call('siem_query_events', { query: { limit: 400 } });
    siem.now += 5 * 60_000;
    const late = await siem.call('siem_query_events', {
      query: { limit: 400, cursor: body['cursor'] as string },
    });
    expect(late.status).toBe(400);
    expect(late.body['message']).toContain('the cursor has expired: begin again without it');
  });

  // Contract: "siem queries give free objects; query `passthrough-param` (hyphen, repeatable)."
  it('are searched by passthrough-param in the words of Elasticsearch', async () => {
    const found = await siem.all('siem_query_events', {
      'passthrough-param': ['203.0.113.77', 'objects'],
    });
    expect(found.map(({ message }) => message as string)).toEqual([
      'build-deploy read 412 objects from 203.0.113.77',
    ]);
    expect(bodies('/_search')[0]).toMatchObject({
      query: { bool: { filter: [{ query_string: { query: '203.0.113.77' } }, {}] } },
    });
  });

  it('are OCSF events of the class that fits their ECS categories, with nothing lost', async () => {
    const events = await siem.all('siem_query_events', {
      filter: ['actor.user.name[eq]pieter.jansen'],
    });
    const opened = events.find(({ metadata }) => metadata.uid === 'evt-0009');
    expect(opened).toMatchObject({
      device: { hostname: 'AP-UTR-L0019', ip: '10.20.0.21' },
      actor: { user: { name: 'pieter.jansen', full_name: 'Pieter Jansen' } },
      time: world.events.find(({ key }) => key === 'evt-0009')?.occurred_ms,
      unmapped: { source: { ip: '10.20.0.21' }, ecs: { version: '8.11.0' } },
    });
    const all = await siem.all('siem_query_events');
    const classes = new Set(all.map(({ class_name }) => class_name as string));
    expect([...classes].sort()).toEqual([
      'API Activity',
      'Account Change',
      'Authentication',
      'DNS Activity',
      'Email Activity',
      'File System Activity',
      'HTTP Activity',
      'Process Activity',
    ]);
  });

  it('of a part of the shards only are not shown as if they were all', async () => {
    const pit = siem.fake.faults;
    pit.add({ kind: 'drift', match: '/_search', alter: 'root._shards.failed = 1' });
    const answer = await siem.call('siem_query_events');
    expect(answer.status).toBe(502);
    expect(answer.body['message']).toContain('1 of 1 shards failed');
  });
});

describe.each([
  ['siem_post_events' as const, siem, 'logs-onefold-default'],
  ['sink_post_events' as const, sink, 'logs-archive-default'],
])('%s', (id, over, index) => {
  // Contract: "siem/sink post: a bare JSON array of OCSF Event -> {result: [..]}"
  it('takes a bare array, and says of each event what became of it', async () => {
    const { status, body } = await over.call(id, {
      body: [event('a'), wrong('b'), event('c')],
    });
    expect(status).toBe(200);
    expect(body['result']).toEqual([
      { index: 0, uid: 'a', stored: true, status: 201, id: expect.any(String) },
      {
        ...{ index: 1, uid: 'b', stored: false, status: 400 },
        error: {
          type: 'document_parsing_exception',
          message: expect.stringContaining('is not an IP string literal'),
        },
      },
      { index: 2, uid: 'c', stored: true, status: 201, id: expect.any(String) },
    ]);
    const [request] = over.fake.log.requests;
    expect(request).toMatchObject({
      path: `/${index}/_bulk`,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const lines = (request?.body ?? '').trim().split('\n');
    expect(lines).toHaveLength(6);
    expect(JSON.parse(lines[0] ?? '')).toEqual({ create: {} });
    expect(JSON.parse(lines[1] ?? '')).toEqual({
      ...event('a'),
      '@timestamp': '2026-11-22T00:00:00.000Z',
    });
  });

  it('stores each event of a batch once, however often the batch comes, and what is new in it', async () => {
    const post = (...uids: string[]) =>
      over.call(id, { body: uids.map((uid) => event(uid)), batchId: 'exe_1-7' });
    const first = (await post('a', 'b')).body['result'] as { id: string }[];
    expect(first).toMatchObject([{ stored: true, status: 201 }, { stored: true }]);
    expect((await post('a', 'b')).body['result']).toEqual([
      { index: 0, uid: 'a', stored: true, status: 200, id: first[0]?.id },
      { index: 1, uid: 'b', stored: true, status: 200, id: first[1]?.id },
    ]);
    expect((await post('a', 'new')).body['result']).toMatchObject([
      { uid: 'a', stored: true, id: first[0]?.id },
      { uid: 'new', stored: true, status: 201 },
    ]);
    if (over !== siem) return; // a sink is not read
    const uids = (await siem.all('siem_query_events')).map(
      ({ metadata }) => metadata.uid as string,
    );
    const ours = uids.filter((uid) => ['a', 'b', 'new'].includes(uid));
    expect(ours.sort()).toEqual(['a', 'b', 'new']);
  });

  it('takes records without a time, such as the tickets of a job', async () => {
    const { body } = await over.call(id, {
      body: [{ id: 'T-1', summary: 'no event' }],
      batchId: 'exe_1-8',
    });
    expect(body['result']).toMatchObject([{ index: 0, stored: true }]);
  });

  it('fails where no event was stored', async () => {
    const { status, body } = await over.call(id, { body: [wrong('a'), wrong('b')] });
    expect(status).toBe(502);
    expect(body['message']).toContain('stored none of 2 events');
  });
});

it('a sink has no folders to put a location into', async () => {
  const query = { location: 'eu' };
  const { status, body } = await sink.call('sink_post_events', { query, body: [event('a')] });
  expect(status).toBe(400);
  expect(body['message']).toContain('leave location out');
  expect(sink.fake.log.requests).toEqual([]);
});

it('an event that was sent is read again as it was', async () => {
  await siem.call('siem_post_events', { body: [event('mine')] });
  const [found] = await siem.all('siem_query_events', { filter: 'metadata.uid[eq]mine' });
  expect(found).toEqual(event('mine'));
});

it('an alert is read by its uid, and one that does not exist is a 404', async () => {
  const alerts = await siem.all('siem_query_alerts', {
    filter: 'device.hostname[eq]AP-UTR-L0019',
    order: 'time[desc]',
  });
  const [newest] = alerts;
  expect(newest).toMatchObject({ actor: { user: { name: 'pieter.jansen' } } });
  const id = newest?.['finding_info'].uid as string;
  const { body } = await siem.call('siem_get_alert', { path: { id } });
  expect(body['result']).toEqual(newest);
  const missing = await siem.call('siem_get_alert', { path: { id: 'none' } });
  expect(missing).toMatchObject({ status: 404, body: { message: 'there is no alert none' } });
});

describe('investigations', () => {
  const query = { filter: 'custom_fields.severity[eq]critical' };

  it('are the cases of Kibana, page by page', async () => {
    const pages = await siem.pages('siem_query_investigations', { limit: 3 });
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2]);
    expect(pages.flat().map(({ custom_fields }) => custom_fields.title as string)).toEqual(
      world.incidents.map(({ title }) => title),
    );
    const orders = ['asc', 'desc'].map(async (direction) =>
      (
        await siem.all('siem_query_investigations', {
          order: `custom_fields.updated_at[${direction}]`,
        })
      ).map(({ custom_fields }) => custom_fields.updated_at as string),
    );
    const [up = [], down = []] = await Promise.all(orders);
    expect(up).toEqual([...up].sort());
    expect(down).toEqual([...up].reverse());
  });

  // Contract: "Investigation: id*, custom_fields?, raw_data*. Evidence: investigation_id*, raw_data*."
  it('have the record of Kibana as text, and evidence with alerts and comments', async () => {
    const [found] = await siem.all('siem_query_investigations', query);
    const id = found?.['id'] as string;
    expect(JSON.parse(found?.['raw_data'] as string)).toMatchObject({ id, title: story?.title });
    const { body } = await siem.call('siem_get_evidence', { path: { id } });
    const { investigation_id, raw_data } = body['result'] as Record<string, string>;
    expect(investigation_id).toBe(id);
    const evidence = JSON.parse(raw_data ?? '') as { alerts: unknown[]; comments: unknown[] };
    expect(evidence.alerts).toHaveLength(story?.alerts.length ?? -1);
    expect(evidence.comments[0]).toMatchObject({
      comment: 'Indicators and the timeline are attached.',
    });
  });

  it('are changed in what the patch names, at the version that was read', async () => {
    const [found] = await siem.all('siem_query_investigations', query);
    const path = { id: found?.['id'] as string };
    const { body } = await siem.call('siem_patch_investigation', {
      path,
      body: [{ op: 'replace', path: '/custom_fields/status', value: 'closed' }],
    });
    expect(body['result'].custom_fields).toEqual({
      ...found?.['custom_fields'],
      status: 'closed',
      ...{ closed_at: expect.any(String), updated_at: expect.any(String) },
    });
    const [change] = bodies('/api/cases');
    expect(change).toEqual({
      cases: [{ id: path.id, version: expect.any(String), status: 'closed' }],
    });
    const refused = await siem.call('siem_patch_investigation', {
      path,
      body: [{ op: 'replace', path: '/raw_data', value: '{}' }],
    });
    expect(refused.status).toBe(400);
  });

  it('are missing without Kibana, and the answer says what to configure', async () => {
    const alone = new OverFake(folder, 'siem_elasticsearch', {
      config: { url: config.url },
      credential: basic,
    });
    const { status, body } = await alone.call('siem_query_investigations');
    expect(status).toBe(501);
    expect(body['message']).toContain('set provider_config.kibana_url');
  });
});

it('log providers are the data streams', async () => {
  const pages = await siem.pages('siem_query_log_providers', { limit: 5 });
  expect(pages.map(({ length }) => length)).toEqual([5, 3]);
  expect(pages.flat()).toContainEqual({
    name: 'logs-aws.cloudtrail-default',
    source: 'aws.cloudtrail',
  });
});

describe('credentials', () => {
  it('are API keys or tokens, and the shared secret goes beside them', async () => {
    const made = (secret: string) =>
      new OverFake(folder, 'siem_elasticsearch', {
        config,
        credential: () => ({ type: 'token', secret }),
      });
    const key = new OverFake(folder, 'siem_elasticsearch', {
      config: { ...config, auth_options: { run_as: 'analyst' } },
      credential: ({ secret }) => ({ type: 'token', secret }),
    });
    expect((await key.call('siem_query_log_providers')).status).toBe(200);
    expect(key.fake.log.requests[0]?.headers).toMatchObject({
      authorization: expect.stringMatching(/^ApiKey /),
      'es-security-runas-user': 'analyst',
    });
    const jwt = made('aaaa.bbbb.cccc');
    const refused = await jwt.call('siem_query_log_providers');
    expect(refused.status).toBe(502);
    expect(jwt.fake.log.requests[0]?.headers['authorization']).toBe('Bearer aaaa.bbbb.cccc');
  });

  it('that may read but not write are reported by the verification', async () => {
    const options = { credential: basic, principal: 'reader' };
    const reader = new OverFake(folder, 'siem_elasticsearch', { config, ...options });
    expect((await reader.verify()).status).toBe(200);
    const writer = new OverFake(folder, 'sink_elasticsearch', {
      config: { url: config.url, create_index: 'logs-archive-default' },
      ...options,
    });
    expect((await writer.verify()).body['message']).toMatch(/create_doc/);
  });
});

// Its alternatives overlap: a whole number is a long and a double, a text is one that may be null, too.
const description = sharedDescription('elasticsearch.json', {}, anyOfInsteadOfOneOf);

function anyOfInsteadOfOneOf(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as { oneOf?: unknown; anyOf?: unknown };
  if (Array.isArray(schema.oneOf)) {
    schema.anyOf = schema.oneOf;
    delete schema.oneOf;
  }
  Object.values(schema).forEach(anyOfInsteadOfOneOf);
}

(description === undefined ? it.skip : it)(
  'searches, points in time and bulk requests are those that Elastic describes',
  async () => {
    const over = new OverFake(folder, 'siem_elasticsearch', {
      ...{ config, credential: basic, description },
    });
    await over.pages('siem_query_events', { limit: 400 });
    await over.call('siem_post_events', { body: [event('a'), wrong('b')] });
    await over.call('siem_query_alerts', { query: { limit: 1 } });
    expect(over.fake.log.requests).toHaveLength(7);
  },
);
