import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { baseEvent } from '#test/harness';
import { connectElasticsearch, wrong } from './elasticsearch.fixture.js';

const siem = connectElasticsearch('siem_elasticsearch');
const sink = connectElasticsearch('sink_elasticsearch');

beforeAll(() => loadValidators());
beforeEach(() => {
  siem.reset();
  sink.reset();
});

describe.each([
  ['siem_post_events' as const, siem, 'logs-onefold-default'],
  ['sink_post_events' as const, sink, 'logs-archive-default'],
])('%s', (id, over, index) => {
  // Contract: "siem/sink post: a bare JSON array of OCSF Event -> {result: [..]}"
  it('takes a bare array, and says of each event what became of it', async () => {
    const { status, body } = await over.call(id, {
      body: [baseEvent('a'), wrong('b'), baseEvent('c')],
    });
    expect(status).toBe(200);
    expect(body['result']).toEqual([
      { index: 0, uid: 'a', stored: true, status: 201, id: expect.any(String) },
      {
        index: 1,
        uid: 'b',
        stored: false,
        status: 400,
        error: {
          type: 'document_parsing_exception',
          message: expect.stringContaining('is not an IP string literal'),
        },
      },
      { index: 2, uid: 'c', stored: true, status: 201, id: expect.any(String) },
    ]);
    expect(body['messages']).toMatchObject({
      problems: [
        {
          instance: 'part-failed',
          message: expect.stringMatching(/^event 1 was not stored: .*is not an IP string literal/),
        },
      ],
    });
    const [request] = over.fake.log.requests;
    expect(request).toMatchObject({
      path: `/${index}/_bulk`,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const lines = (request?.body ?? '').trim().split('\n');
    expect(lines).toHaveLength(6);
    expect(JSON.parse(lines[0] ?? '')).toEqual({ create: {} });
    expect(JSON.parse(lines[1] ?? '')).toEqual({
      ...baseEvent('a'),
      '@timestamp': '2026-11-22T00:00:00.500Z',
    });
  });

  it('stores each event of a batch once, however often the batch comes, and what is new in it', async () => {
    const post = (...uids: string[]) =>
      over.call(id, { body: uids.map((uid) => baseEvent(uid)), batchId: 'exe_1-7' });
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
  const { status, body } = await sink.call('sink_post_events', { query, body: [baseEvent('a')] });
  expect(status).toBe(400);
  expect(body['message']).toContain('leave location out');
  expect(sink.fake.log.requests).toEqual([]);
});
