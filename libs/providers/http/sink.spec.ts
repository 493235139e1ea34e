import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Json, OverSystem } from '#test/harness';
import * as client from './client.js';
import { EventReceiver } from './receiver.fixture.js';

let receiver: EventReceiver;
const open: OverSystem[] = [];
beforeEach(async () => {
  receiver = await EventReceiver.start();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  await receiver.stop();
});

const event = (uid: string, message = uid) => ({
  class_name: 'Base Event',
  class_uid: 0,
  category_uid: 0,
  activity_id: 99,
  type_uid: 99,
  severity_id: 1,
  time: 1795305600000,
  message,
  metadata: { version: '1.3.0', uid, product: { name: 'Scanner', vendor_name: 'Acme' } },
});
const connect = (config: Json = {}) => {
  const folder = new URL('./', import.meta.url);
  const settings = { url: `${receiver.url}/in?tenant=7`, ...config };
  const sink = new OverSystem(folder, 'sink_http', settings, { functions: client });
  open.push(sink);
  return sink;
};
const post = (sink: OverSystem, body: Json[], query: Json = {}) =>
  sink.call('sink_post_events', { body, query });
const only = () => {
  expect(receiver.requests).toHaveLength(1);
  return receiver.requests[0];
};

describe('credentials', () => {
  const secret = 'a secret: of %signs';
  const basic = { type: 'basic', username: 'ann', secret };
  const token = { type: 'token', secret };
  it.each<[string, EventReceiver['wanted'], Json | undefined]>([
    ['none', { kind: 'none' }, undefined],
    [
      'a name and a password',
      { kind: 'basic', username: 'ann', password: secret },
      { type: 'basic_config', credential: basic },
    ],
    [
      'a token, as a bearer',
      { kind: 'header', name: 'authorization', value: `Bearer ${secret}` },
      { type: 'token_config', credential: token },
    ],
    [
      'a token in a header of its own',
      { kind: 'header', name: 'x-api-key', value: secret },
      { type: 'token_config', header_name: 'X-Api-Key', credential: token },
    ],
    [
      'a token in a template',
      { kind: 'header', name: 'authorization', value: `Splunk ${secret}!` },
      { type: 'token_config', template: 'Splunk {{token}}!', credential: token },
    ],
  ])('are %s', async (_name, wanted, authorization) => {
    receiver.wanted = wanted;
    const sink = connect(authorization === undefined ? {} : { authorization });
    expect((await sink.verify()).status).toBe(200);
    expect(await post(sink, [event('e-1')])).toMatchObject({ status: 200 });
    expect(receiver.requests.at(-1)?.events).toEqual([event('e-1')]);
  });

  it.each(['in_header', 'in_params'] as const)(
    'are those of an OAuth client, %s, with scopes and further parameters',
    async (style) => {
      receiver.wanted = { kind: 'oauth', style, id: 'client', secret, scope: 'events.write audit' };
      const tokenUrl = `${receiver.url}/token`;
      const sink = connect({
        authorization: {
          type: 'o_auth_client_config',
          auth_style: style,
          scopes: ['events.write', 'audit'],
          endpoint_params: { audience: 'https://events.example' },
          credential: {
            type: 'o_auth_client',
            client_id: 'client',
            client_secret: secret,
            token_url: tokenUrl,
          },
        },
      });
      expect((await sink.verify()).status).toBe(200);
      expect(receiver.granted[0]).toMatchObject({ audience: 'https://events.example' });
      // A token that was revoked is fetched again, once.
      receiver.fault = ({ body }) => {
        receiver.fault = () => undefined;
        if (body.length > 0) receiver.revokeTokens();
        return undefined;
      };
      expect(await post(sink, [event('e-1')])).toMatchObject({ status: 200 });
      expect(receiver.requests.at(-1)?.events).toEqual([event('e-1')]);
    },
  );

  it('that are refused are named, by verification and by a request', async () => {
    receiver.wanted = { kind: 'basic', username: 'ann', password: 'another' };
    const sink = connect({ authorization: { type: 'basic_config', credential: basic } });
    expect((await sink.verify()).body['message']).toContain(
      'HTTP endpoint refuses the credential crd_1',
    );
    const { status, body } = await post(sink, [event('e-1')]);
    expect([status, body['message']]).toEqual([
      502,
      'HTTP endpoint refuses the credential crd_1: who are you?',
    ]);
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  it.each([
    ['beside a token', { type: 'token_config', credential: token }],
    ['alone', undefined],
  ])('sign the body as it is sent, %s', async (_name, authorization) => {
    const value = `Bearer ${secret}`;
    if (authorization) receiver.wanted = { kind: 'header', name: 'authorization', value };
    receiver.signingSecret = 'signing';
    const config = {
      ...(authorization === undefined ? {} : { authorization }),
      static_headers: { 'Content-Encoding': 'gzip' },
    };
    const wrong = connect({ ...config, signing_credential: { type: 'secret', secret: 'other' } });
    expect((await post(wrong, [event('e-1')])).body['message']).toContain('does not fit the body');
    const sink = connect({ ...config, signing_credential: { type: 'secret', secret: 'signing' } });
    expect((await sink.verify()).status).toBe(200);
    expect(await post(sink, [event('e-1')])).toMatchObject({ status: 200 });
    expect(receiver.requests.at(-1)?.events).toEqual([event('e-1')]);
  });
});

describe('a request', () => {
  it('is an array of all events, at the address with its query, and says what became of each', async () => {
    const events = [event('e-1'), event('e-2', 'sécond\nline')];
    const { status, body } = await post(connect(), events);
    expect([status, body['result']]).toEqual([
      200,
      [
        { index: 0, uid: 'e-1', stored: true, status: 202 },
        { index: 1, uid: 'e-2', stored: true, status: 202 },
      ],
    ]);
    expect(only()).toMatchObject({
      method: 'POST',
      path: '/in?tenant=7',
      events,
      headers: { 'content-type': 'application/json' },
    });
  });

  it('is a line for each event, compressed, with headers of its own, where that is configured', async () => {
    const events = [event('e-1'), event('e-2', 'sécond\nline')];
    const sink = connect({
      request_body_format: 'jsonl',
      static_headers: { 'content-encoding': 'gzip', 'X-Source': 'onefold' },
    });
    expect(await post(sink, events)).toMatchObject({ status: 200 });
    expect(only()).toMatchObject({
      events,
      headers: { 'content-type': 'application/x-ndjson', 'x-source': 'onefold' },
    });
    expect(only()?.body.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  });

  it.each(['POST', 'PUT', 'PATCH', 'GET'])('is sent by %s, with its body', async (method) => {
    const sink = connect({ http_method: method });
    expect(await post(sink, [event('e-1')])).toMatchObject({ status: 200 });
    expect(only()).toMatchObject({ method, events: [event('e-1')] });
  });

  it('goes below the path where it has a location, and never beside it', async () => {
    const sink = connect();
    await post(sink, [event('e-1')], { location: '/eu west/é/' });
    expect(only()?.path).toBe('/in/eu%20west/%C3%A9?tenant=7');
    expect(await post(sink, [event('e-1')], { location: 'a/../../b' })).toMatchObject({
      status: 400,
    });
    only();
  });

  it('is not made where there are no events', async () => {
    expect(await post(connect(), [])).toMatchObject({ status: 200, body: { result: [] } });
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    [{ Host: 'other.example' }, 'belongs to the connection'],
    [{ 'Content-Encoding': 'br' }, 'Content-Encoding other than gzip'],
  ])('is refused with the header %j', async (headers, message) => {
    const { status, body } = await post(connect({ static_headers: headers }), [event('e-1')]);
    expect([status, body['message']]).toEqual([400, expect.stringContaining(message)]);
    expect(receiver.requests).toEqual([]);
  });
});

describe('many events', () => {
  it('are sent in requests of at most 1,000 events and a megabyte, in order', async () => {
    const small = Array.from({ length: 1_500 }, (_, index) => event(`s-${index}`));
    const large = [0, 1, 2].map((index) => event(`l-${index}`, 'x'.repeat(600_000)));
    const { body } = await post(connect(), [...small, ...large]);
    const sizes = receiver.requests.map(({ events }) => events.length);
    expect(sizes).toEqual([1_000, 501, 1, 1]);
    expect(receiver.requests.flatMap(({ events }) => events)).toEqual([...small, ...large]);
    expect((body['result'] as Json[]).every(({ stored }) => stored === true)).toBe(true);
  });

  it('are sent in smaller requests to an endpoint that takes less', async () => {
    receiver.fault = ({ body }) => (body.length > 1_000 ? { status: 413 } : undefined);
    const events = Array.from({ length: 9 }, (_, index) => event(`e-${index}`));
    const { body } = await post(connect(), events);
    expect(receiver.requests.flatMap((one) => one.events)).toEqual(events);
    expect((body['result'] as Json[]).every(({ stored }) => stored === true)).toBe(true);
  });

  const thousands = (count: number) =>
    Array.from({ length: count * 1_000 }, (_, index) => event(`e-${index}`));
  const outcome = (body: Json) =>
    (body['result'] as Json[]).filter(({ index }) => index % 1_000 === 0);

  it('that are refused for what they are do not stop the others, and are told apart', async () => {
    receiver.fault = () =>
      receiver.requests.length === 2
        ? { status: 422, body: '{"message":"severity is odd"}' }
        : undefined;
    const { status, body } = await post(connect(), thousands(3));
    expect(status).toBe(200);
    expect(outcome(body)).toMatchObject([
      { index: 0, uid: 'e-0', stored: true, status: 202 },
      {
        stored: false,
        status: 422,
        error: { message: expect.stringContaining('severity is odd') },
      },
      { index: 2_000, stored: true, status: 202 },
    ]);
  });

  it('stop where the endpoint fails: the rest is not sent, and each event says so', async () => {
    receiver.fault = () => (receiver.requests.length === 2 ? { status: 500 } : undefined);
    const { status, body } = await post(connect(), thousands(4));
    expect(status).toBe(200);
    expect(receiver.requests).toHaveLength(2);
    expect(outcome(body).map(({ stored }) => stored as boolean)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(outcome(body)[3]).toMatchObject({
      error: { message: expect.stringContaining('not sent: HTTP endpoint answers 500') },
    });
  });
});

describe('an endpoint that fails', () => {
  it.each([
    [400, 400, 'refuses the request: bad'],
    [401, 502, 'refuses its credential'],
    [403, 502, 'does not permit this'],
    [404, 404, 'has no such record'],
    [409, 409, 'refuses the request'],
    [422, 400, 'refuses the request'],
    [500, 502, 'answers 500'],
    [503, 503, 'is not available'],
    [302, 502, 'redirects POST to http://127.0.0.1'],
  ])('with %i is a %i', async (answered, expected, message) => {
    receiver.fault = () => ({ status: answered, body: '{"error":{"message":"bad"}}' });
    const { status, body } = await post(connect(), [event('e-1')]);
    expect([status, body['message']]).toEqual([expected, expect.stringContaining(message)]);
    expect(body['context']).toMatchObject({
      provider_details: { status: String(answered) },
    });
  });

  it('gets a request again after a 429, as it had no effect', async () => {
    receiver.fault = () =>
      receiver.requests.length === 1 ? { status: 429, headers: { 'retry-after': '0' } } : undefined;
    expect(await post(connect(), [event('e-1')])).toMatchObject({ status: 200 });
    expect(receiver.requests.map(({ body }) => body.length)).toHaveLength(2);
  });

  it.each([
    ['POST', 1],
    ['PATCH', 1],
    ['GET', 1],
    ['PUT', 2],
  ])('after a 503 gets a %s %i times: only PUT may be repeated', async (method, times) => {
    receiver.fault = () => (receiver.requests.length === 1 ? { status: 503 } : undefined);
    const { status } = await post(connect({ http_method: method }), [event('e-1')]);
    expect([status, receiver.requests.length]).toEqual([times === 2 ? 200 : 503, times]);
  });

  it('succeeds with the configured codes alone', async () => {
    const sink = connect({ accepted_response_codes: [207, 409] });
    receiver.fault = () => ({ status: 207 });
    expect(await post(sink, [event('e-1')])).toMatchObject({
      status: 200,
      body: { result: [{ stored: true, status: 207 }] },
    });
    receiver.fault = () => ({ status: 409 });
    expect(await post(sink, [event('e-1')])).toMatchObject({ status: 200 });
    receiver.fault = () => undefined;
    const { status, body } = await post(sink, [event('e-1')]);
    expect([status, body['message']]).toEqual([
      502,
      'HTTP endpoint answers 202: accepted_response_codes does not have 202',
    ]);
  });

  it('is given up after timeout_seconds', async () => {
    receiver.fault = () => ({ status: 200, delayMs: 10_000 });
    const { status, body } = await post(connect({ timeout_seconds: 1 }), [event('e-1')]);
    expect([status, body['message']]).toEqual([504, 'HTTP endpoint did not answer in time']);
  });

  it('is reported by verification, unless it only takes no GET', async () => {
    receiver.fault = () => ({ status: 500 });
    expect((await connect().verify()).body['message']).toContain('answers 500');
    receiver.fault = () => ({ status: 405 });
    expect((await connect().verify()).status).toBe(200);
  });
});
