import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators, operationOf, type OperationId } from '#contract';
import { checkFolder } from '../../apps/provider-kit/src/check.js';
import { Engine, type Ran } from '../../apps/provider-kit/src/engine.js';
import type { OurRequest } from '../../apps/provider-kit/src/fixture.js';
import { folderAt, type ProviderFolder } from '../../apps/provider-kit/src/folders.js';
import { Monitor } from './monitor.js';
import { serveExample } from './serve-example.js';
import { TicketDesk } from './ticket-desk.js';

const examples = new URL('../../../docs/providers/examples/', import.meta.url);
const documents = readdirSync(examples).filter((name) => name.endsWith('.yaml'));
const agent = new Agent();
const running: { close: () => Promise<void> }[] = [];

beforeAll(() => loadValidators());
afterAll(async () => {
  for (const one of running) await one.close();
  await agent.destroy();
});

const folderOf = (name: string) =>
  folderAt(fileURLToPath(new URL(name, examples))) as ProviderFolder;

/** An engine as a process that was just started, which calls the address by HTTP. */
function engineOf(name: string, url: string, credential: object): Engine {
  const engine = new Engine({
    folder: folderOf(name),
    configuration: { url, credential },
    detour: agent,
    at: Date.now(),
    tokens: { get: () => Promise.reject(new Error('no tokens here')) },
  });
  running.push(engine);
  return engine;
}

async function call(
  engine: Engine,
  id: OperationId,
  request: OurRequest = {},
): Promise<Ran['answer']> {
  return (await engine.run(operationOf(id), request)).answer;
}

it.each(documents)('the check finds nothing wrong with %s', (name) => {
  expect(checkFolder(folderOf(name))).toEqual([]);
});

it('every piece of a document on the page of recipes is part of an example', () => {
  const trimmed = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .join('\n')
      .trim();
  const page = readFileSync(new URL('../recipes.md', examples), 'utf8');
  const pieces = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, piece = '']) => trimmed(piece));
  const whole = documents.map((name) => trimmed(readFileSync(new URL(name, examples), 'utf8')));
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.filter((piece) => !whole.some((text) => text.includes(piece)))).toEqual([]);
});

describe('a system that answers with addresses and versions', () => {
  let desk = new TicketDesk();
  let engine: Engine;
  beforeAll(async () => {
    const served = await serveExample((request) => desk.answer(request));
    running.push(served);
    engine = engineOf('rest2.yaml', served.url, { type: 'token', secret: 'let-me-in' });
  });
  beforeEach(() => {
    desk = new TicketDesk();
  });

  it('has the id of each new ticket from its address, also of those that are made at the same time', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const made = await Promise.all(
      names.map((name) => call(engine, 'ticketing_create_ticket', { body: { name } })),
    );
    const results = made.map(
      ({ body }) => (body as { result: { id: string; name: string } }).result,
    );
    expect(results.map(({ name }) => name)).toEqual(names);
    expect(new Set(results.map(({ id }) => id)).size).toBe(names.length);
  });

  it('keeps what somebody else has written between the read and the write of a patch', async () => {
    await call(engine, 'ticketing_create_ticket', { body: { name: 'Printer' } });
    desk.before = (ticket) => {
      desk.before = () => undefined;
      Object.assign(ticket, { Text: 'on fire', version: 2 });
    };
    const { status, body } = await call(engine, 'ticketing_patch_ticket', {
      path: { ticketId: '1' },
      body: [{ op: 'replace', path: '/status', value: 'open' }],
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { result: { status: 'open', description: 'on fire' } },
    });
    expect(desk.changes).toEqual([412, 200]);
  });

  it('gets ids and values of filters as what they are, and not as more of the query', async () => {
    for (const name of ["O'Brien", 'Printer'])
      await call(engine, 'ticketing_create_ticket', { body: { name } });
    const comments = async (ticketId: string) =>
      (await call(engine, 'ticketing_list_comments', { path: { ticketId } })).body;
    expect(await comments('1')).toMatchObject({ result: [{ content: 'about 1' }] });
    expect(await comments('1 OR TicketId > 0')).toMatchObject({ result: [] });
    const filter = [`name[in]"O'Brien","x' OR id > 0 OR Subject = 'y"`];
    const { body } = await call(engine, 'ticketing_query_tickets', { query: { filter } });
    expect(body).toMatchObject({ result: [{ name: "O'Brien" }] });
    expect((body as { result: unknown[] }).result).toHaveLength(1);
  });
});

describe('a system with JSON-RPC and sessions', () => {
  let monitor = new Monitor();
  let url: string;
  let engine: Engine;
  const credential = { type: 'basic', username: 'robot', secret: 'zbx-secret' };
  const read = (one = engine) =>
    call(one, 'custom_get', { path: { operation: 'custom_get', id: '1' } });
  beforeAll(async () => {
    const served = await serveExample((request) => monitor.answer(request));
    running.push(served);
    ({ url } = served);
  });
  beforeEach(() => {
    monitor = new Monitor();
    engine = engineOf('json-rpc.yaml', url, credential);
  });

  it('logs in once for all calls that need a session', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => read()));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(monitor.logins).toBe(1);
  });

  it('logs in again, once, when the session has ended', async () => {
    await read();
    monitor.sessions.clear();
    const answers = await Promise.all([read(), read(), read()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(monitor.logins).toBe(2);
  });

  it('names the credential when the login is refused, and does not try it with every call', async () => {
    monitor.password = 'another';
    const [first, second] = [await read(), await read()];
    for (const { status, body } of [first, second])
      expect({ status, body }).toMatchObject({
        status: 502,
        body: {
          message: expect.stringMatching(/refuses the credential crd_kit_credential: Incorrect/),
        },
      });
    expect(monitor.logins).toBe(1);
  });

  it('shows the token of a session to nobody', async () => {
    const { body } = (
      await engine.run(operationOf('custom_query'), { path: { operation: 'custom_query' } }, [
        'api/response(all)',
      ])
    ).answer;
    expect(JSON.stringify(body)).toContain('10.0.0.1');
    expect(JSON.stringify(body)).not.toContain('session-1');
  });

  it('is verified through a session', async () => {
    expect((await engine.verify()).answer).toEqual({ status: 200 });
    expect(monitor.logins).toBe(1);
  });

  it('makes a row of each interface of its hosts', async () => {
    const { body } = await call(engine, 'custom_query', { path: { operation: 'custom_query' } });
    expect((body as { result: unknown[] }).result).toEqual([
      { host: 'web', ip: '10.0.0.1', port: '10050' },
      { host: 'web', ip: '10.0.0.2', port: '161' },
      { host: 'db', ip: '10.0.1.1', port: '10050' },
      { host: 'db', ip: '10.0.1.2', port: '161' },
    ]);
  });

  it('makes a record and gives its id', async () => {
    const path = { operation: 'custom_post' };
    const { body } = await call(engine, 'custom_post', { path, body: { name: 'mail' } });
    expect(body).toMatchObject({ result: { id: '3' } });
  });

  it('answers with what was taken, and names what was not', async () => {
    const event = (hostname: string) => ({
      class_name: 'Base Event',
      class_uid: 0,
      category_uid: 0,
      activity_id: 99,
      activity_name: 'test',
      type_uid: 99,
      severity_id: 1,
      time: 1795305600000,
      message: 'up',
      metadata: { version: '1.3.0', product: { name: 'Test', vendor_name: 'Acme' } },
      device: { type_id: 0, hostname },
    });
    const post = (...names: string[]) =>
      call(engine, 'sink_post_events', { body: names.map(event) });
    const { status, body } = await post('web', 'nobody', 'db');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        result: [
          { index: 0, stored: true, id: '41' },
          { index: 1, stored: false, error: { message: 'No host "nobody".' } },
          { index: 2, stored: true, id: '42' },
        ],
        messages: {
          problems: [
            { instance: 'part-failed', message: 'event 1 was not taken: No host "nobody".' },
          ],
        },
      },
    });
    expect(await post('nobody')).toMatchObject({
      status: 502,
      body: { message: 'Monitor took none of the events: No host "nobody".' },
    });
  });
});
