import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { baseEvent, OverFake } from '#test/harness';

const queue = 'https://sqs.eu-west-1.amazonaws.com/111122223333/alderpoint-events';

function open(url = queue, principal?: string): OverFake {
  const over = new OverFake(new URL('./', import.meta.url), 'sink_aws_sqs', {
    config: { url },
    credential: ({ aws }) => ({
      type: 'aws',
      access_key_id: aws?.accessKeyId,
      secret_access_key: aws?.secretAccessKey,
    }),
    ...(principal === undefined ? {} : { principal }),
  });
  over.now = Date.now(); // signatures are of the real time
  return over;
}

const bodies = (over: OverFake) =>
  over.fake.log.requests.map(
    ({ body = '' }) => JSON.parse(body) as { Entries: Record<string, string>[] },
  );

beforeAll(() => loadValidators());

describe('sink_post_events', () => {
  it('sends ten events a request, each as a message', async () => {
    const over = open();
    const sent = Array.from({ length: 23 }, (_, index) => baseEvent(`e-${index}`));
    const { status, body } = await over.call('sink_post_events', { body: sent });
    expect(status).toBe(200);
    const results = body['result'] as { index: number; uid: string; stored: boolean }[];
    expect(results.map(({ index, uid, stored }) => [index, uid, stored])).toEqual(
      sent.map((one, index) => [index, one.metadata.uid, true]),
    );
    const entries = bodies(over).map(({ Entries }) => Entries);
    expect(entries.map((all) => all.length).sort()).toEqual([10, 10, 3]);
    const messages = entries
      .flat()
      .map(({ MessageBody = '' }) => JSON.parse(MessageBody) as object);
    expect(messages).toHaveLength(23);
    expect(messages).toEqual(expect.arrayContaining(sent));
    expect(Object.keys(entries[0]?.[0] ?? {})).toEqual(['Id', 'MessageBody']);
    expect(over.fake.log.requests[0]?.headers).toMatchObject({
      'x-amz-target': 'AmazonSQS.SendMessageBatch',
      'content-type': 'application/x-amz-json-1.0',
      authorization: expect.stringContaining('/eu-west-1/sqs/aws4_request'),
    });
  });

  it('sends fewer where they are large, and names one that is too large', async () => {
    const over = open();
    const large = (uid: string) => baseEvent(uid, { message: 'ä'.repeat(200_000) }); // 400 kB
    const { status } = await over.call('sink_post_events', {
      body: [large('a'), large('b'), large('c')],
    });
    expect([status, over.fake.log.requests.length]).toEqual([200, 2]);
    const refused = await over.call('sink_post_events', {
      body: [baseEvent('d', { message: 'x'.repeat(1_048_576) })],
    });
    expect([refused.status, refused.body['detail'] ?? refused.body['message']]).toEqual([
      400,
      expect.stringContaining('Batch requests cannot be longer than 1048576 bytes.') as unknown,
    ]);
  });

  it('sends the JSON of an event as it is, without escaping characters of HTML', async () => {
    const over = open();
    const event = baseEvent('a', { message: '<a href="?b&c">' });
    await over.call('sink_post_events', { body: [event] });
    const [text = ''] = bodies(over).flatMap(({ Entries }) => Entries.map((e) => e['MessageBody']));
    expect(text).toContain(JSON.stringify(event.message));
  });

  it('names the events that the queue did not take, and keeps the others', async () => {
    const { status, body } = await open().call('sink_post_events', {
      body: [baseEvent('a'), baseEvent('b', { message: 'end \uFFFF' })],
    });
    expect(status).toBe(200);
    expect(body['result']).toMatchObject([
      { index: 0, stored: true, status: 200 },
      {
        index: 1,
        uid: 'b',
        stored: false,
        status: 400,
        error: { type: 'InvalidMessageContents', message: 'Invalid characters found.' },
      },
    ]);
    expect(JSON.stringify(body['messages'])).toContain(
      'event 1 was not taken: InvalidMessageContents: Invalid characters found.',
    );
  });

  it('gives a FIFO queue a group, and an id by which it knows an event again', async () => {
    const over = open(`${queue}.fifo`);
    await over.call('sink_post_events', { body: [baseEvent('a')] });
    await over.call('sink_post_events', { body: [baseEvent('a')] });
    const [first, second] = bodies(over).map(({ Entries }) => Entries[0]);
    expect(first).toEqual(second);
    expect(first).toMatchObject({
      MessageGroupId: 'onefold',
      MessageDeduplicationId: expect.stringMatching(/^[\da-f]{64}$/),
    });
  });

  it('says that the queue does not exist', async () => {
    const other = open('https://sqs.eu-west-1.amazonaws.com/111122223333/other');
    const { status, body } = await other.call('sink_post_events', { body: [baseEvent('a')] });
    expect([status, JSON.stringify(body)]).toEqual([
      502,
      expect.stringContaining('other: The specified queue does not exist.') as unknown,
    ]);
  });
});
