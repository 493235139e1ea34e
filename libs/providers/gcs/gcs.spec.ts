import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { baseEvent, OverFake } from '#test/harness';

const open = (secretOf: (keyFile: string) => string = (keyFile) => keyFile, principal = 'writer') =>
  new OverFake(new URL('./', import.meta.url), 'sink_gcs', {
    config: { bucket: 'alderpoint-events', path: 'onefold/' },
    credential: ({ secret = '' }) => ({ type: 'token', secret: secretOf(secret) }),
    principal,
  });

beforeAll(() => loadValidators());

it('is verified without storing anything', async () => {
  expect((await open().verify()).status).toBe(200);
});

it('stores the events of a request as lines of one object', async () => {
  const bucket = open();
  const sent = [baseEvent('a'), baseEvent('b')];
  let stored: Buffer | undefined;
  bucket.intercept = ({ body }) => {
    stored = body as Buffer;
    return undefined;
  };
  const { status, body } = await bucket.call('sink_post_events', {
    body: sent,
    query: { location: 'eu/logs' },
  });
  const name = expect.stringMatching(
    /^onefold\/eu\/logs\/2026\/11\/22\/00\/[0-9a-f]{32}[.]json[.]gz$/,
  );
  expect([status, body['result']]).toEqual([
    200,
    ['a', 'b'].map((uid, index) => ({ index, uid, stored: true, status: 200, id: name })),
  ]);
  const lines = gunzipSync(stored ?? '')
    .toString()
    .trim()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(sent);
});

it('names the permission that the service account lacks', async () => {
  const { status, body } = await open(undefined, 'nobody').call('sink_post_events', {
    body: [baseEvent('a')],
  });
  expect([status, body['message']]).toEqual([
    502,
    expect.stringContaining('does not have storage.objects.create access'),
  ]);
});

it.each([
  ['creator', 'storage.objects.delete'],
  ['nobody', 'storage.objects.create'],
])('is verified by asking what the service account may do: %s', async (principal, missing) => {
  const { status, body } = await open(undefined, principal).verify();
  expect(status).not.toBe(200);
  expect(JSON.stringify(body)).toContain(`does not have ${missing} at the bucket`);
});

it.each([
  ['another text', () => 'hunter2-is-no-key'],
  ['a file without a key', () => '{"client_email": "robot@acme.example"}'],
  ['the key of another', (file: string) => file.replaceAll('A', 'B')],
])('refuses %s in place of a key file, and does not show it', async (_what, secretOf) => {
  const bucket = open(secretOf);
  const answer = await bucket.call('sink_post_events', { body: [baseEvent('a')] });
  expect(answer.status).toBe(502);
  expect(JSON.stringify(answer.body)).toContain('private RSA key');
  expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|robot@acme|-----/);
});
