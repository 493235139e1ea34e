import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { baseEvent, OverFake } from '#test/harness';

const address = 'https://ingest.us-1.crowdstrike.example/api/ingest/hec/1a2b3c4d/v1';
const open = (url = address) =>
  new OverFake(new URL('./', import.meta.url), 'sink_crowdstrike_hec', {
    config: { url },
    credential: ({ secret }) => ({ type: 'token', secret }),
  });

beforeAll(() => loadValidators());

describe('sink_post_events', () => {
  it('sends an object for each event, with seconds as time and the host beside it', async () => {
    const connector = open();
    const sent = [baseEvent('a', { device: { type_id: 0, hostname: 'web-1' } }), baseEvent('b')];
    const { status, body } = await connector.call('sink_post_events', { body: sent });
    expect([status, body['result']]).toEqual([
      200,
      [
        { index: 0, uid: 'a', stored: true, status: 200 },
        { index: 1, uid: 'b', stored: true, status: 200 },
      ],
    ]);
    const [request] = connector.fake.log.requests;
    expect(request?.headers).toMatchObject({
      authorization: expect.stringMatching(/^Bearer \S+$/),
    });
    const lines = (request?.body ?? '').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: 1795305600.5, host: 'web-1', event: sent[0] },
      { time: 1795305600.5, event: sent[1] },
    ]);
  });

  it.each([
    '',
    '/',
    '/services/collector',
    '/services/collector/event/',
    '/services/collector/raw',
  ])('takes the address with %s behind it', async (end) => {
    const connector = open(address + end);
    expect((await connector.call('sink_post_events', { body: [baseEvent('a')] })).status).toBe(200);
    expect(connector.fake.log.requests[0]?.path).toBe(
      '/api/ingest/hec/1a2b3c4d/v1/services/collector',
    );
  });

  it.each([
    ['another page', { hello: 'world' }],
    ['a code other than success', { text: 'Server is busy', code: 9 }],
  ])('fails where %s answers 200', async (_what, answer) => {
    const connector = open();
    connector.answer = () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(answer)),
    });
    const { status, body } = await connector.call('sink_post_events', { body: [baseEvent('a')] });
    expect([status, body['message']]).toEqual([
      502,
      expect.stringContaining('has not said that it took the events'),
    ]);
  });
});
