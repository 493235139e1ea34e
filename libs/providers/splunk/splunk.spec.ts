import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { baseEvent, OverFake } from '#test/harness';

const open = (config: Record<string, unknown> = {}) =>
  new OverFake(new URL('./', import.meta.url), 'sink_splunk', {
    config: { hec_url: 'https://splunk.example:8088', ...config },
    slot: 'hec_credential',
    credential: ({ secret }) => ({ type: 'token', secret }),
  });
const answerWith = (status: number, body: object) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});

beforeAll(() => loadValidators());

describe('sink_post_events', () => {
  it('sends what the client of Splunk sends: an object for each event, with time, host and index', async () => {
    const indexed = open({ index: 'security', source: 'onefold', source_type: 'ocsf:event' });
    const sent = [baseEvent('a', { device: { type_id: 0, hostname: 'web-1' } }), baseEvent('b')];
    const { status, body } = await indexed.call('sink_post_events', { body: sent });
    expect([status, body['result']]).toEqual([
      200,
      [
        { index: 0, uid: 'a', stored: true, status: 200 },
        { index: 1, uid: 'b', stored: true, status: 200 },
      ],
    ]);
    const [request] = indexed.fake.log.requests;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/services/collector/event',
      headers: {
        authorization: expect.stringMatching(/^Splunk [0-9a-f-]{36}$/),
        'x-splunk-request-channel': expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    const meta = { index: 'security', source: 'onefold', sourcetype: 'ocsf:event' };
    const lines = (request?.body ?? '').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: 1795305600.5, host: 'web-1', ...meta, event: sent[0] },
      { time: 1795305600.5, ...meta, event: sent[1] },
    ]);
  });

  it.each([
    'https://splunk.example:8088/',
    'https://splunk.example:8088/services/collector',
    'https://splunk.example:8088/services/collector/event/1.0/',
    'https://splunk.example:8088//services/collector/raw',
  ])('takes the address %s', async (url) => {
    const other = open({ hec_url: url });
    expect((await other.call('sink_post_events', { body: [baseEvent('a')] })).status).toBe(200);
    expect(other.fake.log.requests[0]?.path).toBe('/services/collector/event');
  });

  it('says which event Splunk refuses, in its words', async () => {
    const wrong = open({ index: 'payroll' });
    const { status, body } = await wrong.call('sink_post_events', { body: [baseEvent('a')] });
    expect(status).toBe(400);
    expect(body['message']).toContain('Incorrect index');
    wrong.answer = () =>
      answerWith(400, { text: 'Incorrect index', code: 7, 'invalid-event-number': 1 });
    const refused = await wrong.call('sink_post_events', {
      body: [baseEvent('a'), baseEvent('b')],
    });
    expect(refused.body['message']).toContain(
      'Splunk refused event 1: Incorrect index (code 7). Those before it may be stored',
    );
  });

  it('fails where something else than a collector answers 200', async () => {
    const other = open();
    other.answer = () => answerWith(200, { hello: 'world' });
    const { status, body } = await other.call('sink_post_events', { body: [baseEvent('a')] });
    expect([status, body['message']]).toEqual([
      502,
      expect.stringContaining('has not said that it took the events'),
    ]);
  });
});
