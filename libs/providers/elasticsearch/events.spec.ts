import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { makeWorld } from '#fakes';
import { baseEvent } from '#test/harness';
import { bodiesOf, connectElasticsearch } from './elasticsearch.fixture.js';

const siem = connectElasticsearch('siem_elasticsearch');
const world = makeWorld({ start: siem.start, dataset: 'BASIC' });
const sent = () => siem.fake.log.requests.map(({ method, path }) => `${method} ${path}`);

beforeAll(() => loadValidators());
beforeEach(() => siem.reset());

describe('events', () => {
  it('are read at one point in time, which is closed behind the last page', async () => {
    const first = await siem.call('siem_query_events', { query: { limit: 400 } });
    await siem.call('siem_post_events', {
      body: [baseEvent('late', { time: siem.start.getTime() })],
    });
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
    const [, continued] = bodiesOf(siem, '/_search');
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
          body: [baseEvent('late', { time: siem.start.getTime() })],
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
    expect(bodiesOf(siem, '/_search')[0]).toMatchObject({
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

it('an event that was sent is read again as it was', async () => {
  await siem.call('siem_post_events', { body: [baseEvent('mine')] });
  const [found] = await siem.all('siem_query_events', { filter: 'metadata.uid[eq]mine' });
  expect(found).toEqual(baseEvent('mine'));
});
