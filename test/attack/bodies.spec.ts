import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '#test/harness';
import { operations, servedDocument } from '#contract';
import { type Service, startService } from '../api/service.js';
import { Connection } from './connection.js';

const megabyte = 1_048_576;
/** Half of it is available to one address, an eighth to callers without a token. */
const maxBodiesBytes = 8 * megabyte;
const publicBytes = 16_384;

let service: Service;
let open: Connection[] = [];
beforeAll(async () => {
  service = await startService(5, undefined, 0, { maxBodiesBytes });
});
afterEach(async () => {
  for (const connection of open) connection.close();
  open = [];
  await until(() => service.heldBodyBytes() === 0);
});
afterAll(() => service.stop());

async function connection(): Promise<Connection> {
  const one = await Connection.open(service.url);
  open.push(one);
  return one;
}

const json = 'application/json';
const logon = '/v1/auth/logon/acme';
const withToken = () => ({
  authorization: `Bearer ${service.administrator.access}`,
  'content-type': json,
});

async function send(path: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { ...withToken(), ...headers },
    body: body as string,
  });
  return { status: response.status, problem: (await response.json()) as Record<string, unknown> };
}

/** Checks that the connection still serves requests. */
async function servesNext(on: Connection): Promise<void> {
  on.head('GET', '/v1/accounts?limit=1', withToken());
  expect((await on.response()).status).toBe(200);
}

describe('a body that is too large', () => {
  it('of a caller without a token is refused by its length, before a byte of it is kept', async () => {
    const one = await connection();
    one.head('POST', logon, { 'content-type': json, 'content-length': 10 * megabyte });
    const { status, text } = await one.response();
    expect([status, JSON.parse(text)]).toMatchObject([
      413,
      { message: `the body is longer than ${publicBytes} bytes`, remediation: expect.any(String) },
    ]);
    expect(service.heldBodyBytes()).toBe(0);
  });

  it('and does not say its length is refused at the limit, and the connection serves the next request', async () => {
    const one = await connection();
    one.head('POST', logon, { 'content-type': json, 'transfer-encoding': 'chunked' });
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`;
    for (let at = 0; at < 8; at += 1) one.write(chunk);
    expect((await one.response()).status).toBe(413);
    one.write('0\r\n\r\n');
    await servesNext(one);
  });

  it('is drained as a whole when its client sends it nevertheless', async () => {
    const one = await connection();
    one.head('POST', '/v1/accounts', { ...withToken(), 'content-length': 3 * megabyte });
    one.write(Buffer.alloc(3 * megabyte, ' '));
    const { status, text } = await one.response();
    expect([status, text]).toEqual([413, expect.stringContaining(String(megabyte))]);
    await servesNext(one);
  });

  it.each([
    ['/v1/accounts', 413],
    ['/nowhere', 404],
  ])('ends its connection when it goes on without an end, at %s', async (path, status) => {
    const one = await connection();
    one.head('POST', path, { ...withToken(), 'content-length': 1_000 * megabyte });
    expect((await one.response()).status).toBe(status);
    let written = 0;
    while (!one.socket.destroyed && written < 400 * megabyte) {
      written += megabyte;
      if (!one.socket.write(Buffer.alloc(megabyte)))
        await Promise.race([
          new Promise((drained) => one.socket.once('drain', drained)),
          new Promise((closed) => one.socket.once('close', closed)),
        ]);
    }
    expect(written).toBeLessThan(400 * megabyte);
  });
});

describe('bodies that do not end', () => {
  it('hold no more than their limit each, sixty without a token no more than 16 KB each', async () => {
    for (let count = 0; count < 60; count += 1) {
      const one = await connection();
      one.head('POST', logon, { 'content-type': json, 'content-length': publicBytes });
      one.write('x'.repeat(publicBytes - 1));
    }
    await until(() => service.heldBodyBytes() >= 60 * (publicBytes - 1));
    expect(service.heldBodyBytes()).toBeLessThanOrEqual(60 * publicBytes);
  });

  it('without a token get 503 beyond an eighth of the budget; callers with a token do not notice', async () => {
    const fits = maxBodiesBytes / 8 / publicBytes;
    const all: Connection[] = [];
    for (let count = 0; count < fits + 4; count += 1) {
      const one = await connection();
      one.head('POST', logon, { 'content-type': json, 'content-length': publicBytes });
      one.write('x'.repeat(publicBytes - 1));
      all.push(one);
    }
    const refused = await Promise.race(all.map((one) => one.response()));
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(service.heldBodyBytes()).toBeLessThanOrEqual(maxBodiesBytes / 8);
    expect((await send('/v1/accounts', '{}')).status).toBe(200);
  });

  it('of one address hold half of the budget at most; room that is given back is there for the next', async () => {
    const all: Connection[] = [];
    for (let count = 0; count < 6; count += 1) {
      const one = await connection();
      one.head('POST', '/v1/accounts', { ...withToken(), 'content-length': megabyte });
      one.write(Buffer.alloc(megabyte - 1, ' '));
      all.push(one);
    }
    const refused = await Promise.race(all.map((one) => one.response()));
    expect([refused.status, refused.headers['retry-after'], refused.text]).toEqual([
      503,
      '1',
      expect.stringContaining('from this address'),
    ]);
    expect(service.heldBodyBytes()).toBeLessThanOrEqual(maxBodiesBytes / 2);
    for (const one of all) one.close();
    await until(() => service.heldBodyBytes() === 0);
    expect((await send('/v1/accounts', '{}')).status).toBe(200);
  });

  it('are not read for a caller whose token is refused', async () => {
    const one = await connection();
    one.head('POST', '/v1/accounts', {
      authorization: 'Bearer nonsense',
      'content-type': json,
      'content-length': megabyte,
    });
    expect((await one.response()).status).toBe(401);
    expect(service.heldBodyBytes()).toBe(0);
  });
});

describe('a body that costs more than its bytes', () => {
  const fields = (count: number) =>
    `{${Array.from({ length: count }, (_, at) => `"f${at}":1`).join()}}`;

  it.each([
    ['fields', fields(25_000), '/f19999', '20000 values'],
    ['items', `{"labels":[${'1,'.repeat(400_000)}1]}`, '/labels/19998', '20000 values'],
    ['levels', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, /^\/a(\/0)+$/, '64 deep'],
    ['levels that never close', '[{"a":'.repeat(10_000), /^\/0\/a/, '64 deep'],
  ])(
    'of too many %s is a 400 that names place, limit and remedy',
    async (_name, body, place, limit) => {
      const { status, problem } = await send('/v1/accounts', body);
      const { parameter } = problem['context'] as { parameter: { id: string } };
      expect([status, problem['message'], problem['remediation']]).toEqual([
        400,
        expect.stringContaining(limit),
        expect.stringMatching(/^Send/),
      ]);
      expect(parameter.id).toMatch(place);
    },
  );

  it('has its fault found at the end of a megabyte, with the right place', async () => {
    const body = `[${'\n{"a": 1},'.repeat(19_000 / 2)}\n  x]`;
    const { status, problem } = await send('/v1/accounts', body);
    expect([status, problem['message']]).toEqual([
      400,
      `the body is not JSON: unexpected text at line ${19_000 / 2 + 2}, column 3 (character ${body.length - 1})`,
    ]);
  });

  it('with a long key is refused with a short answer', async () => {
    const { status, problem } = await send('/v1/accounts', `{"${'k'.repeat(500_000)}":"\\u0000"}`);
    expect(status).toBe(400);
    expect(JSON.stringify(problem).length).toBeLessThan(5_000);
  });

  it('of more mappings than a chain may have is a 400, and none is looked up', async () => {
    const body = JSON.stringify({ mappings: Array(10_000).fill('m'), data: {} });
    const { status, problem } = await send('/v1/mappings/apply', body);
    expect([status, problem['message']]).toEqual([
      400,
      'body /mappings: must NOT have more than 20 items',
    ]);
  });

  it('of a SAML response with thousands of fields is a 400', async () => {
    const path = `/sso/${service.administrator.organizationId}/saml/acs`;
    const type = 'application/x-www-form-urlencoded';
    const { status, problem } = await send(path, 'a&'.repeat(200_000), { 'content-type': type });
    expect([status, problem['message']]).toEqual([400, 'body /: has more than 20 fields']);
  });

  it('of wrong values is answered with twenty faults at most', async () => {
    const { status, problem } = await send('/v1/accounts', `{"labels":[${'1,'.repeat(19_000)}1]}`);
    expect([status, (problem['cause'] as unknown[]).length]).toEqual([400, 20]);
  });
});

describe('what the contract says of bodies', () => {
  it('an operation that takes JSON has limits, and the served documents show them', () => {
    for (const side of ['management', 'connector'] as const) {
      const { paths } = JSON.parse(servedDocument(side, '/')) as {
        paths: Record<string, Record<string, { operationId: string; 'x-limits'?: object }>>;
      };
      for (const { operationId, 'x-limits': shown } of Object.values(paths).flatMap((item) =>
        Object.values(item),
      )) {
        const limits = operations.get(operationId as never)?.limits ?? undefined;
        const { maxBytes, maxValues, maxDepth, anyText } = limits ?? {};
        const expected = {
          max_bytes: maxBytes,
          max_values: maxValues,
          max_depth: maxDepth,
          ...(anyText && { any_text: true }),
        };
        expect([operationId, shown]).toEqual([operationId, limits && expected]);
      }
    }
    for (const { request, limits, id } of operations.values())
      expect([id, limits !== null]).toEqual([id, request === 'json']);
  });

  it('a body may begin with a byte order mark', async () => {
    const { status, problem } = await send('/v1/accounts', '\uFEFF{"fullname":"Marked"}');
    expect([status, problem]).toMatchObject([200, { result: { account: { fullname: 'Marked' } } }]);
  });

  it('a compressed body is a 415', async () => {
    expect((await send('/v1/accounts', '{}', { 'content-encoding': 'gzip' })).status).toBe(415);
  });
});
