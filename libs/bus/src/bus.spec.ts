import { Controller, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Call, type Caller, notFound, type Reply, StreamReply } from '#contract';
import { busKeys, eventually, startNats, testNatsUrl, until } from '#test/harness';
import {
  type Bus,
  BusServer,
  Cancellation,
  collect,
  type Envelope,
  handledOperations,
  Handles,
  InProcessTransport,
  type Introspection,
  MessageBus,
  NatsTransport,
  Serves,
  subjectOf,
  type Transport,
} from './index.js';
import { operationOf } from '#contract';
import { Secret } from '#secrets';

const caller: Caller = {
  tokenId: 'tok_1',
  scope: 'integration',
  organizationId: 'org_1',
  memberId: 'mbr_1',
  integrationId: 'int_1',
  permissions: [],
};
const megabytes = 5;
let sent = 0;
let cancelled: unknown;
let streamEnded = 0;

@Controller()
class Echo {
  @Handles('ticketing_create_ticket')
  async echo({
    body,
    caller,
    query,
  }: Call<'ticketing_create_ticket'>): Promise<Reply<'ticketing_create_ticket'>> {
    return { result: { body, caller, query } } as unknown as Reply<'ticketing_create_ticket'>;
  }

  @Handles('ticketing_get_ticket')
  async fail({ path }: Call<'ticketing_get_ticket'>): Promise<Reply<'ticketing_get_ticket'>> {
    if (path.ticketId === 'broken') throw new Error('a bug with secret details');
    throw notFound('ticket', path.ticketId);
  }

  @Handles('ticketing_list_projects')
  async wait({
    signal,
  }: Call<'ticketing_list_projects'>): Promise<Reply<'ticketing_list_projects'>> {
    await new Promise((_settle, fail) =>
      signal.addEventListener('abort', () => fail(signal.reason)),
    );
    return { result: [], cursor: '' };
  }

  @Handles('storage_download_file')
  async download({
    signal,
  }: Call<'storage_download_file'>): Promise<Reply<'storage_download_file'>> {
    sent = 0;
    async function* chunks() {
      try {
        for (; sent < megabytes * 4; sent += 1) yield Buffer.alloc(256 * 1024, sent);
      } finally {
        streamEnded += 1;
        cancelled = signal.aborted;
      }
    }
    return new StreamReply(200, { 'content-type': 'image/png' }, chunks());
  }

  @Handles('storage_upload_file')
  async upload({ upload }: Call<'storage_upload_file'>): Promise<Reply<'storage_upload_file'>> {
    const { length } = await collect(upload?.body);
    return new StreamReply(200, {}, Buffer.from(String(length)));
  }

  @Serves('tokens.introspect')
  async introspect({ hash }: { hash: string }): Promise<Introspection | null> {
    if (hash === 'wrong') throw new ApiError(403, 'no', { remediation: 'ask' });
    return null;
  }
}

@Module({ controllers: [Echo] })
class EchoModule {}

const envelope = (operation: Envelope['operation'], more: Partial<Envelope> = {}): Envelope => ({
  operation,
  caller,
  path: {},
  query: {},
  meta: [],
  requestId: 'r1',
  deadline: Date.now() + 5_000,
  remoteAddress: '127.0.0.1',
  userAgent: 'spec',
  ...more,
});

async function serve(transport: Transport) {
  const server = new BusServer(transport);
  const app = await NestFactory.createMicroservice(EchoModule, { strategy: server, logger: false });
  await app.listen();
  return { app, server };
}

const transports: [string, () => Promise<[Transport, Transport]>][] = [
  [
    'in one process',
    async () => {
      const one = new InProcessTransport();
      return [one, one];
    },
  ],
  [
    'over NATS',
    async () => {
      const url = await testNatsUrl();
      return [
        await NatsTransport.connect(url, { keys: busKeys }),
        await NatsTransport.connect(url, { keys: busKeys }),
      ];
    },
  ],
];

it('tells which operations the controllers of a module handle', () => {
  expect(handledOperations(EchoModule)).toEqual([
    'ticketing_create_ticket',
    'ticketing_get_ticket',
    'ticketing_list_projects',
    'storage_download_file',
    'storage_upload_file',
    'internal:tokens.introspect',
  ]);
});

describe.each(transports)('the bus %s', (_name, make) => {
  let bus: Bus;
  let client: Transport;
  let app: Awaited<ReturnType<typeof serve>>['app'];

  beforeAll(async () => {
    const [ours, theirs] = await make();
    client = ours;
    bus = new MessageBus(ours);
    ({ app } = await serve(theirs));
    await sleep(50);
  });
  afterAll(async () => {
    await app.close();
    await client.close();
  });

  const request = (
    operation: Envelope['operation'],
    more: Partial<Envelope> = {},
    body?: Uint8Array,
    cancellation = new Cancellation(),
  ) =>
    bus.request(
      subjectOf(operationOf(operation), undefined),
      envelope(operation, more),
      body,
      cancellation,
    );
  const problemOf = async (reply: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await reply;
    return [status, JSON.parse((await collect(body as Uint8Array)).toString()) as unknown];
  };

  it('carries query and body to the handler and its answer back', async () => {
    const reply = await request(
      'ticketing_create_ticket',
      { query: { limit: 3 } },
      Buffer.from('{"summary":"ä"}'),
    );
    expect(reply.status).toBe(200);
    expect(reply.headers).toEqual({ 'content-type': 'application/json' });
    expect(JSON.parse((await collect(reply.body)).toString())).toEqual({
      result: { body: { summary: 'ä' }, caller, query: { limit: 3 } },
    });
  });

  it('refuses what the caller is not permitted, and calls without one, though no gateway did', async () => {
    const outsider: Caller = { ...caller, scope: 'organization' };
    for (const [who, status] of [
      [outsider, 403],
      [null, 401],
    ] as const) {
      const more = { caller: who };
      const reply = await request('ticketing_create_ticket', more, Buffer.from('{"summary":"x"}'));
      expect(reply.status).toBe(status);
    }
  });

  it('makes a Problem of an ApiError, and hides what other errors say', async () => {
    expect(
      await problemOf(request('ticketing_get_ticket', { path: { ticketId: 'T1' } })),
    ).toMatchObject([404, { message: 'there is no ticket "T1"', instance: '/requests/r1' }]);
    const [status, problem] = await problemOf(
      request('ticketing_get_ticket', { path: { ticketId: 'broken' } }),
    );
    expect(status).toBe(500);
    expect(JSON.stringify(problem)).not.toContain('secret details');
  });

  it("names the caller's trace where it logs what failed", async () => {
    const lines: unknown[] = [];
    const listening = jest
      .spyOn(Logger.prototype, 'error')
      .mockImplementation((line: unknown) => void lines.push(line));
    const path = { ticketId: 'broken' };
    const trace = 'a'.repeat(32);
    for (const traceparent of [`00-${trace}-${'b'.repeat(16)}-01`, 'nonsense'])
      await request('ticketing_get_ticket', { path, traceparent });
    listening.mockRestore();
    expect(lines).toMatchObject([
      { message: 'call failed', request_id: 'r1', trace_id: trace },
      { message: 'call failed', request_id: 'r1' },
    ]);
    expect(lines[1]).not.toHaveProperty('trace_id');
  });

  it('says 503 when nobody serves the subject, and does not wait for the deadline', async () => {
    // At the deadline it would be 504.
    await expect(request('identity_query_users')).rejects.toMatchObject({ status: 503 });
  });

  it('says 504 when the deadline passes', async () => {
    const late = request('ticketing_list_projects', { deadline: Date.now() + 100 });
    const status = await late.then(
      (reply) => reply.status,
      (error: ApiError) => error.status,
    );
    expect(status).toBe(504);
  });

  it('cancels the handler when the caller hangs up', async () => {
    const hangUp = new Cancellation();
    const pending = request('ticketing_list_projects', {}, undefined, hangUp);
    setTimeout(() => hangUp.cancel(new Error('hung up')), 50);
    await expect(pending).rejects.toThrow('hung up');
  });

  it('streams a large answer, no faster than it is read', async () => {
    const { headers, body } = await request('storage_download_file');
    expect(headers).toEqual({ 'content-type': 'image/png' });
    const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    await chunks.next();
    await sleep(100);
    expect(sent).toBeLessThanOrEqual(3);
    let bytes = 256 * 1024;
    for (;;) {
      const { value, done } = await chunks.next();
      if (done) break;
      bytes += value.length;
    }
    expect(bytes).toBe(megabytes * 1024 * 1024);
  });

  it('ends a stream that nobody reads to its end', async () => {
    const before = streamEnded;
    const { body } = await request('storage_download_file');
    for await (const _chunk of body as AsyncIterable<Uint8Array>) break;
    await until(() => streamEnded > before);
    expect(typeof cancelled).toBe('boolean');
  });

  it('takes a request body larger than one message', async () => {
    const { body } = await request('storage_upload_file', {}, Buffer.alloc(3_000_000));
    expect((await collect(body)).toString()).toBe('3000000');
  });

  it('calls another service, and throws what it threw', async () => {
    expect(await bus.call('tokens.introspect', { hash: 'x' })).toBeNull();
    await expect(bus.call('tokens.introspect', { hash: 'wrong' })).rejects.toMatchObject({
      status: 403,
      options: { remediation: 'ask' },
    });
  });

  it('tells every listener of an event', async () => {
    const heard: unknown[] = [];
    const stop = bus.subscribe('records.changed', (event) => heard.push(event));
    await sleep(50);
    bus.publish('records.changed', { changes: ['tok_1 7'] });
    await until(() => heard.length === 1);
    expect(heard).toEqual([{ changes: ['tok_1 7'] }]);
    stop();
  });
});

describe('the bus over NATS, when the server goes away', () => {
  it('recovers: calls wait for the server, listeners hear again, caches are told', async () => {
    const first = await startNats();
    const [ours, theirs] = [
      await NatsTransport.connect(first.url, { keys: busKeys }),
      await NatsTransport.connect(first.url, { keys: busKeys }),
    ];
    const { app } = await serve(theirs);
    const bus = new MessageBus(ours);
    let reconnects = 0;
    bus.onReconnect(() => (reconnects += 1));
    const call = () =>
      bus
        .request(
          subjectOf(operationOf('ticketing_create_ticket'), undefined),
          envelope('ticketing_create_ticket', { deadline: Date.now() + 60_000 }),
          Buffer.from('{}'),
          new Cancellation(),
        )
        .then(
          ({ status }) => status,
          (error: ApiError) => error.status ?? 500,
        );
    expect(await call()).toBe(200);
    await first.stop();
    await until(() => !bus.isConnected);
    const waiting = Array.from({ length: 20 }, call);
    await sleep(1_000);
    await first.start();
    const statuses = await Promise.all(waiting);
    // Both ends reconnect independently, so for a moment the service may be missing.
    expect(statuses.every((status) => [200, 503].includes(status))).toBe(true);
    await until(() => reconnects === 1);
    await until(() => theirs.isConnected);
    await eventually(async () => expect(await call()).toBe(200));
    await app.close();
    await ours.close();
    await first.stop();
  });
});

describe('the bus over NATS, where the server lets us do less', () => {
  it('fails a call that may not be sent at once, and says in the log what was refused', async () => {
    const nats = await startNats(
      'authorization: { users: [{ user: u, password: p, permissions: { publish: { deny: "onefold.v1.>" } } }, { user: s, password: p }] }',
    );
    const served = await NatsTransport.connect(nats.url.replace('//', '//s:p@'), { keys: busKeys });
    const { app } = await serve(served);
    const lines: unknown[] = [];
    const listening = jest
      .spyOn(Logger.prototype, 'error')
      .mockImplementation((line: unknown) => void lines.push(line));
    const transport = await NatsTransport.connect(
      { natsUrl: nats.url, natsUser: 'u', natsPassword: new Secret('p') },
      { keys: busKeys },
    );
    const reply = new MessageBus(transport).request(
      subjectOf(operationOf('ticketing_list_projects'), undefined),
      envelope('ticketing_list_projects'),
      undefined,
      new Cancellation(),
    );
    // At the deadline the error would be that of a timeout.
    await expect(reply).rejects.toThrow(/permissions violation/i);
    expect(lines).toMatchObject([
      {
        message: 'NATS error',
        error: expect.stringContaining('onefold.v1.') as unknown,
      },
    ]);
    listening.mockRestore();
    await transport.close();
    await app.close();
    await nats.stop();
  });
});
