import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Agent, type Dispatcher, fetch, FormData, request } from 'undici';
import {
  FakeClock,
  FakeDispatcher,
  FakeEngine,
  FakeServer,
  MemoryStorage,
  readFake,
} from '../index.js';
import { errorsOfTests, makeTestWorld } from '../test-fake.fixture.js';

const document = readFake(`
fake: acme
${errorsOfTests}
collections:
  devices: { from: this.world.devices, id: this.key }
routes:
  GET /devices/{id}:
    with: { device: { from: devices, id: this.path.id, missing: not_found } }
    headers: { X-Age: this.now_ms - this.start_ms }
    body: root = this.with.device
  POST /echo: { body: 'root = {"body": this.body, "headers": this.headers}' }
  DELETE /devices/{id}: { delete: devices, id: this.path.id, status: 204 }
`);
const start = new Date();

function startFake() {
  const clock = new FakeClock();
  const make = () =>
    new FakeEngine(document, {
      storage: new MemoryStorage(),
      makeWorld: makeTestWorld,
      clock: clock.now,
      start,
      dataset: 'BASIC',
      key: 'specs',
    });
  const fake = {
    clock,
    engine: make(),
    reset: () => {
      fake.engine = make();
    },
  };
  return fake;
}

const servers: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

// As every client of ours names its dispatcher: the default is that of the undici inside Node 24 and newer, which knows no forms of the package.
const agent = new Agent();
afterAll(() => agent.close());

async function overSocket() {
  const fake = startFake();
  const server = new FakeServer(fake);
  servers.push(server);
  return { fake, url: await server.listen(0), options: { dispatcher: agent } };
}

async function inProcess() {
  const fake = startFake();
  const dispatcher: Dispatcher = new FakeDispatcher(fake.engine);
  return { fake, url: 'https://api.acme.test', options: { dispatcher } };
}

describe.each([
  ['over a socket', overSocket],
  ['in process', inProcess],
])('a fake %s', (_title, begin) => {
  it('answers with status, headers and body', async () => {
    const { url, options } = await begin();
    const answer = await request(`${url}/devices/d1?a=1`, options);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(await answer.body.json()).toMatchObject({ key: 'd1', hostname: 'WS-01' });
    const gone = await request(`${url}/devices/d1`, { ...options, method: 'DELETE' });
    expect([gone.statusCode, await gone.body.text()]).toEqual([204, '']);
    expect((await request(`${url}/devices/d1`, options)).statusCode).toBe(404);
  });

  it('answers fetch, too', async () => {
    const { url, options } = await begin();
    const body = new URLSearchParams({ name: 'x' });
    const answer = await fetch(`${url}/echo`, { ...options, method: 'POST', body });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await answer.json()).toMatchObject({ body: { name: 'x' } });
  });

  it('takes bodies of every kind, and headers', async () => {
    const { url, options } = await begin();
    const form = new FormData();
    form.set('name', 'x');
    async function* chunks() {
      yield Buffer.from('{"a":');
      yield Buffer.from('1}');
    }
    const json = { 'content-type': 'application/json', 'X-Test': 'yes' };
    const bodies = [
      { body: '{"a":1}', headers: json },
      { body: Buffer.from('{"a":1}'), headers: json },
      { body: chunks() as never, headers: json },
    ];
    for (const one of bodies) {
      const answer = await request(`${url}/echo`, { ...options, method: 'POST', ...one });
      expect(await answer.body.json()).toMatchObject({
        body: { a: 1 },
        headers: { 'x-test': 'yes' },
      });
    }
    const answer = await request(`${url}/echo`, { ...options, method: 'POST', body: form });
    expect(await answer.body.json()).toMatchObject({ body: { name: 'x' } });
  });

  it.each(['reset', 'half'])('breaks off: %s', async (kind) => {
    const { fake, url, options } = await begin();
    fake.engine.faults.add({ kind });
    const call = request(`${url}/devices/d1`, options).then(({ body }) => body.text());
    await expect(call).rejects.toThrow();
    expect(fake.engine.log.requests.at(-1)).toMatchObject({ fault: kind, status: null });
  });

  it('never answers, until the client has waited long enough', async () => {
    const { fake, url, options } = await begin();
    fake.engine.faults.add({ kind: 'never', times: 2 });
    const late = request(`${url}/devices/d1`, { ...options, headersTimeout: 20 });
    await expect(late).rejects.toThrow('Headers Timeout Error');
    const signal = AbortSignal.timeout(20);
    await expect(request(`${url}/devices/d1`, { ...options, signal })).rejects.toThrow(
      /timeout|abort/i,
    );
  });

  it('sends as much as the fault says, without saying so before', async () => {
    const { fake, url, options } = await begin();
    fake.engine.faults.add({ kind: 'huge', bytes: 5_000_000 });
    const { statusCode, headers, body } = await request(`${url}/devices/d1`, options);
    expect([statusCode, headers['content-length']]).toEqual([200, undefined]);
    const rows = (await body.json()) as unknown[];
    expect(JSON.stringify(rows).length).toBeGreaterThan(5_000_000);
  });

  it('answers late', async () => {
    const { fake, url, options } = await begin();
    fake.engine.faults.add({ kind: 'slow', seconds: 0.05 });
    const begun = Date.now();
    expect((await request(`${url}/devices/d1`, options)).statusCode).toBe(200);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(45);
  });
});

describe('a server of a fake', () => {
  it('is controlled outside of the paths of the vendor', async () => {
    const { url } = await overSocket();
    const control = async (command: string, body?: object) => {
      const [method = 'GET', name] = command.split(' ');
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await request(`${url}/_fake/${name}`, { method: method as 'GET', ...sent });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: (text === '' ? null : JSON.parse(text)) as never };
    };
    const get = async () => await request(`${url}/devices/d1`);
    expect((await control('POST fault', { kind: 'status', status: 503 })).status).toBe(204);
    expect((await get()).statusCode).toBe(503);
    expect((await control('POST fault', { kind: 'dance' })).body).toMatchObject({
      message: expect.stringMatching(/unknown fault "dance"/),
    });
    await control('POST limit', { requests: 1, seconds: 60 });
    expect((await get()).statusCode).toBe(200);
    expect((await get()).statusCode).toBe(429);
    await control('DELETE limit');
    await control('POST clock', { seconds: 3_600 });
    expect(Number((await get()).headers['x-age'])).toBeGreaterThanOrEqual(3_600_000);
    await request(`${url}/devices/d1`, { method: 'DELETE' });
    expect((await get()).statusCode).toBe(404);
    expect((await control('GET requests')).body).toHaveLength(6);
    expect((await control('GET unreached')).body).toEqual(['POST /echo']);
    expect((await control('GET violations')).body).toEqual([]);
    await control('POST reset');
    expect((await get()).statusCode).toBe(200);
    expect((await control('GET nothing')).status).toBe(404);
  });
});
