import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startNode } from '../e2e/processes.js';
import { Refusal, Simulator, type Vendor } from './index.js';

it('the README says of each simulator whether the vendor has a fake, and why there is a simulator', () => {
  const folder = new URL('../../../test/simulators/', import.meta.url);
  const vendors = readdirSync(folder).filter((name) =>
    existsSync(new URL(`${name}/main.ts`, folder)),
  );
  const readme = readFileSync(new URL('README.md', folder), 'utf8');
  expect(vendors.length).toBeGreaterThan(0);
  const told = [...readme.matchAll(/^\| `(\w+)` +\| (yes|none) +\| \S/gm)];
  const providers = new URL('../../libs/providers/', folder);
  expect(Object.fromEntries(told.map(([, name, fake]) => [name, fake]))).toEqual(
    Object.fromEntries(
      vendors.map((name) => [
        name,
        existsSync(new URL(`${name}/fake.yaml`, providers)) ? 'yes' : 'none',
      ]),
    ),
  );
});

it('the program of a simulator prints its address, answers, and ends by a signal', async () => {
  const main = fileURLToPath(new URL('github/main.js', import.meta.url));
  const running = startNode([main, '--port', '0']);
  const [, url = ''] = await running.says(/^github (http:\S+)$/m);
  expect((await fetch(`${url}/_simulator/requests`)).status).toBe(200);
  expect(await running.stop('SIGTERM')).toEqual({ code: 0, signal: null });
});

// A vendor with one kind of record: this spec tests messages, not their content.
const thing = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    colour: { nullable: true, oneOf: [{ type: 'string' }, { type: 'integer' }] },
    size: { type: 'string', nullable: true, enum: ['s', 'l'] },
  },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const parameter = (name: string, schema: object) => ({ name, in: 'query', schema });
const document = {
  openapi: '3.0.3',
  paths: {
    '/things/{id}': {
      get: { parameters: [], responses: { '200': json(thing), '404': {} } },
    },
    '/things/new': { get: { responses: { '200': json(thing) } } },
    '/things': {
      get: {
        parameters: [
          parameter('limit', { type: 'integer', maximum: 100 }),
          parameter('tags', { type: 'array', items: { type: 'string' } }),
        ],
        responses: {
          '200': json({ type: 'array', items: { $ref: '#/components/schemas/Thing' } }),
        },
      },
      post: {
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/Thing' }) },
        responses: { '201': json({ $ref: '#/components/schemas/Thing' }) },
      },
    },
  },
  components: { schemas: { Thing: thing } },
};

let answerWith: unknown;
let seen: unknown;

function create(): Vendor {
  const things: unknown[] = [];
  return {
    routes: {
      'GET /things': ({ query }) => {
        seen = query;
        return { status: 200, body: answerWith ?? things };
      },
      'POST /things': ({ body }) => {
        things.push(body);
        return { status: 201, body };
      },
      'GET /things/{id}': ({ params }) => {
        seen = params;
        throw new Refusal({ status: 404, body: { error: 'gone' } });
      },
      'GET /things/new': () => ({ status: 200, body: { name: 'new' } }),
    },
    authenticate: ({ authorization }) => {
      if (authorization !== 'Bearer good') throw new Refusal({ status: 401 });
      return {};
    },
    limited: ({ resetsAt }) => ({
      status: 429,
      headers: { 'retry-after': String(Math.ceil((resetsAt - Date.now()) / 1_000)) },
    }),
    headers: ({ remaining }) => ({ 'x-remaining': String(remaining) }),
    malformed: () => ({ status: 400, body: { error: 'no JSON' } }),
    failure: (status) => ({ status, body: { error: 'as told' } }),
    seed: (count) => things.push(...Array.from({ length: count }, () => ({ name: 'seeded' }))),
  };
}

describe('a simulator', () => {
  const simulator = new Simulator({ name: 'things', description: { document }, create });
  let url = '';
  beforeEach(async () => {
    if (url === '') url = await simulator.listen(0);
    simulator.reset();
    answerWith = undefined;
  });
  afterAll(() => simulator.close());

  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
      signal: AbortSignal.timeout(60_000),
    });
  const post = (body: unknown) => send('/things', { method: 'POST', body: JSON.stringify(body) });
  const control = (path: string, body?: object, method = 'POST') =>
    send(`/_simulator/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });

  it('keeps what it is told and forgets it when it is reset', async () => {
    expect((await post({ name: 'lamp' })).status).toBe(201);
    expect(await (await send('/things')).json()).toEqual([{ name: 'lamp' }]);
    await control('seed', { count: 2 });
    expect(await (await send('/things')).json()).toHaveLength(3);
    await control('reset');
    expect(await (await send('/things')).json()).toEqual([]);
  });

  it('refuses a body that the description does not allow, and remembers it', async () => {
    const response = await post({ colour: 'red' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      simulator_violation: { side: 'request', operation: 'POST /things' },
    });
    const violations = (await (await control('violations', undefined, 'GET')).json()) as unknown[];
    expect(violations).toMatchObject([
      { side: 'request', faults: ["body must have required property 'name'"] },
    ]);
    expect(await (await send('/things')).json()).toEqual([]);
  });

  it.each([
    [{ name: 'a', colour: null, size: null }, 201],
    [{ name: 'a', colour: 7, size: 'l' }, 201],
    [{ name: 'a', colour: true }, 400],
    [{ name: 'a', size: 'm' }, 400],
    [{ name: null }, 400],
  ])('takes nullable for what it means: %j is %d', async (body, status) => {
    expect((await post(body)).status).toBe(status);
  });

  it('gives the query in the types of the description and refuses what is not in it', async () => {
    await send('/things?limit=5&tags=a&tags=b');
    expect(seen).toEqual({ limit: 5, tags: ['a', 'b'] });
    for (const query of ['limit=101', 'limit=many', 'sort=name'])
      expect((await send(`/things?${query}`)).status).toBe(400);
    expect((await send('/nothing')).status).toBe(400);
    expect(simulator.log.violations.map(({ faults }) => faults)).toEqual([
      ['query parameter limit must be <= 100'],
      ['query parameter limit must be integer'],
      ['query parameter sort is not in the description'],
      ['the description has no such operation'],
    ]);
  });

  it('prefers a literal path to a parameter, and decodes parameters', async () => {
    expect((await send('/things/new')).status).toBe(200);
    expect((await send('/things/a%2Fb')).status).toBe(404);
    expect(seen).toEqual({ id: 'a/b' });
  });

  it('catches its own answers when the description does not allow them', async () => {
    answerWith = [{ name: 7 }];
    const response = await send('/things');
    expect(response.status).toBe(500);
    expect(simulator.log.violations).toMatchObject([
      { side: 'answer', faults: ['/0/name must be string'] },
    ]);
  });

  it('answers invalid JSON and too large bodies with the vendor’s errors', async () => {
    const malformed = await send('/things', { method: 'POST', body: '{"name":' });
    expect([malformed.status, await malformed.json()]).toEqual([400, { error: 'no JSON' }]);
    const large = await send('/things', { method: 'POST', body: 'x'.repeat(33 * 1024 * 1024) });
    expect(large.status).toBe(413);
  });

  it('limits how many requests it answers in a window', async () => {
    await control('limit', { requests: 2, seconds: 60 });
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await send('/things')).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(Number((await send('/things')).headers.get('retry-after'))).toBeGreaterThan(50);
  });

  it('fails as often as told, where told, and works again', async () => {
    await control('fault', { kind: 'status', status: 503, times: 2, match: 'GET /things' });
    expect((await post({ name: 'a' })).status).toBe(201);
    expect((await send('/things')).status).toBe(503);
    expect((await send('/things')).status).toBe(503);
    expect((await send('/things')).status).toBe(200);
    await control('fault', { kind: 'status', times: 9 });
    await control('fault', undefined, 'DELETE');
    expect((await send('/things')).status).toBe(200);
    expect((await control('fault', { kind: 'fire' })).status).toBe(400);
  });

  it('redirects, and limits with an HTTP date', async () => {
    await control('fault', { kind: 'redirect' });
    const redirect = await send('/things', { redirect: 'manual' });
    expect(redirect.headers.get('location')).toContain('169.254.169.254');
    await control('fault', { kind: 'rate_limit', seconds: 3, form: 'date' });
    const limited = await send('/things');
    const until = Date.parse(limited.headers.get('retry-after') ?? '') - Date.now();
    expect(limited.status).toBe(429);
    expect(until).toBeGreaterThan(1_500);
    expect(until).toBeLessThan(5_000);
  });

  it('breaks below HTTP: garbage, half a body, a reset, nothing at all', async () => {
    await control('fault', { kind: 'garbage' });
    await expect((await send('/things')).json()).rejects.toThrow(/JSON/);
    await control('fault', { kind: 'half' });
    await expect((await send('/things')).text()).rejects.toThrow(/terminated/);
    await control('fault', { kind: 'reset' });
    await expect(send('/things')).rejects.toThrow(/fetch failed/);
    await control('fault', { kind: 'never' });
    const silent = fetch(`${url}/things`, { signal: AbortSignal.timeout(200) });
    await expect(silent).rejects.toThrow(/timeout/);
    await control('fault', { kind: 'slow', delay_ms: 100 });
    const start = Date.now();
    expect((await send('/things')).status).toBe(200);
    expect(Date.now() - start).toBeGreaterThanOrEqual(95);
  });

  it('sends as much as told, without holding it in memory', async () => {
    await control('fault', { kind: 'huge', bytes: 20_000_000 });
    const call = request(`${url}/things`, { headers: { authorization: 'Bearer good' } }).end();
    const [response] = (await once(call, 'response')) as [AsyncIterable<Buffer>];
    let size = 0;
    for await (const chunk of response) size += chunk.length;
    expect(size).toBeGreaterThan(20_000_000);
  });

  it('keeps a log of what arrived and how it was answered', async () => {
    await post({ name: 'a' });
    await control('fault', { kind: 'garbage' });
    await send('/things?limit=1');
    const log = (await (await control('requests', undefined, 'GET')).json()) as unknown[];
    expect(log).toMatchObject([
      { number: 1, operation: 'POST /things', body: { name: 'a' }, status: 201, fault: null },
      { number: 2, path: '/things', query: { limit: ['1'] }, status: null, fault: 'garbage' },
    ]);
  });

  it('does not start when it simulates what the description does not have', () => {
    const routes = { ...create().routes, 'GET /nothing': () => ({ status: 200 }) };
    const options = { name: 'things', description: { document } };
    expect(() => new Simulator({ ...options, create: () => ({ ...create(), routes }) })).toThrow(
      'not in the description: GET /nothing',
    );
  });
});
