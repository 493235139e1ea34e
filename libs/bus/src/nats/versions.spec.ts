import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Call, Reply } from '#contract';
import { busKeys, testNatsUrl } from '#test/harness';
import { envelopeOf } from '../messages/envelope.fixture.js';
import {
  BusServer,
  Cancellation,
  collect,
  Handles,
  type Introspection,
  Kind,
  MessageBus,
  MessageSeal,
  NatsTransport,
  Refusals,
  Serves,
} from '../index.js';

// Processes of two versions run side by side during an upgrade. Here the other version is written by hand: an older one does not know
// the optional fields, a newer one sends fields that this version does not know.

const subject = 'onefold.v1.ticketing.ticketing_get_ticket';
const required = {
  operation: 'ticketing_get_ticket',
  path: { ticketId: '1' },
  query: {},
  meta: [],
  requestId: 'r1',
  remoteAddress: '127.0.0.1',
  userAgent: 'another version',
};

describe('a message that an earlier version has sealed', () => {
  const key = { id: '0a0b0c0d', bytes: Buffer.alloc(32, 7) };
  const keys = { current: key, find: (id: string) => (id === key.id ? key : undefined) };
  const sentAt = 1_763_700_000_000;
  const open = (address: { subject: string; reply?: string }, text: string, kind: Kind) =>
    new MessageSeal(keys, new Refusals(), () => sentAt).open(address, Buffer.from(text, 'base64'), [
      kind,
    ]);

  // Written by the first version of this format: they may not change as long as its number does not.
  it('is read: a request with a stream', () => {
    const request =
      'r6zuueavcvq7w6gMPfdEKAEBCgsMDexi5/zUIQAAAAAAAQGapLZFAAGapLcvYAAAACUab25lZm9sZC5pbmJveC5nYXRld2F5LnAyLjIKeyJvcGVyYXRpb24iOiJ0aWNrZXRpbmdfZ2V0X3RpY2tldCJ9eyJhIjoxfQ==';
    const opened = open(
      { subject: `${subject}.p1`, reply: 'onefold.inbox.gateway.p2.1' },
      request,
      Kind.request,
    );
    expect(opened).toMatchObject({
      head: '\n{"operation":"ticketing_get_ticket"}',
      stream: 'onefold.inbox.gateway.p2.2',
    });
    expect(Buffer.from(opened?.body ?? []).toString()).toBe('{"a":1}');
  });

  it('is read: an announcement', () => {
    const presence =
      'AZWGcwgdQekkD09gQ/zUzAEFCgsMDexi5/zUIQAAAAAAAgGapLZFAAGapLcvYAAAAEkAeyJzdGF0ZSI6ImhlcmUiLCJzdWJqZWN0cyI6WyJvbmVmb2xkLnYxLnRpY2tldGluZy50aWNrZXRpbmdfZ2V0X3RpY2tldCJdfQ==';
    expect(open({ subject: 'onefold.presence' }, presence, Kind.presence)?.head).toBe(
      `{"state":"here","subjects":["${subject}"]}`,
    );
  });
});

@Controller()
class Tickets {
  @Handles('ticketing_get_ticket')
  async get({ path, idempotencyKey }: Call<'ticketing_get_ticket'>) {
    const result = { id: path.ticketId, idempotencyKey: idempotencyKey ?? 'none' };
    return { result } as unknown as Reply<'ticketing_get_ticket'>;
  }

  @Serves('tokens.introspect')
  async introspect({ hash }: { hash: string }): Promise<Introspection | null> {
    return hash === 'known' ? ({ caller: { tokenId: 'tok_1' } } as Introspection) : null;
  }
}

@Module({ controllers: [Tickets] })
class TicketsModule {}

describe('a process of this version', () => {
  let app: Awaited<ReturnType<typeof NestFactory.createMicroservice>>;
  let other: NatsTransport;

  beforeAll(async () => {
    const url = await testNatsUrl();
    const strategy = new BusServer(await NatsTransport.connect(url, { keys: busKeys }));
    app = await NestFactory.createMicroservice(TicketsModule, { strategy, logger: false });
    await app.listen();
    other = await NatsTransport.connect(url, { keys: busKeys });
  });
  afterAll(async () => {
    await app.close();
    await other.close();
  });

  /** Sends a head that another version has written. */
  async function request(to: string, head: string, body?: object): Promise<[unknown, unknown]> {
    const reply = await other.request(
      to,
      { head, body: body && Buffer.from(JSON.stringify(body)) },
      { deadline: Date.now() + 20_000, cancellation: new Cancellation() },
    );
    return [JSON.parse(reply.head), JSON.parse((await collect(reply.body)).toString())];
  }

  it.each([
    ['an older one, without optional fields', {}, {}],
    ['a newer one, with fields that are unknown', { later: { a: 1 } }, { more: ['x'] }],
  ])('answers a call of %s', async (_which, inEnvelope, inCaller) => {
    const { caller } = envelopeOf('ticketing_get_ticket');
    const deadline = Date.now() + 20_000;
    const head = `${caller?.tokenId} ${JSON.stringify({ ...caller, ...inCaller })}\n${JSON.stringify({ ...required, deadline, ...inEnvelope })}`;
    expect(await request(subject, head)).toEqual([
      { status: 200, headers: { 'content-type': 'application/json' } },
      { result: { id: '1', idempotencyKey: 'none' } },
    ]);
  });

  it.each([
    ['an older one, without optional fields', {}, {}],
    ['a newer one, with fields that are unknown', { later: 1 }, { also: { a: 1 } }],
  ])('answers an internal call of %s', async (_which, inHead, inInput) => {
    const head = JSON.stringify({ deadline: Date.now() + 20_000, ...inHead });
    const input = { hash: 'known', ...inInput };
    const [{ status }, output] = (await request(
      'onefold.internal.tokens.introspect',
      head,
      input,
    )) as [{ status: number }, unknown];
    expect([status, output]).toEqual([200, { caller: { tokenId: 'tok_1' } }]);
  });

  it.each([
    ['an older one, without optional fields', { organizationId: 'org_1' }],
    ['a newer one, with fields that are unknown', { organizationId: 'org_1', later: [1] }],
  ])('hears an event of %s', async (_which, payload) => {
    const transport = await NatsTransport.connect(await testNatsUrl(), { keys: busKeys });
    const bus = new MessageBus(transport);
    const heard = new Promise<unknown>((settle) => bus.subscribe('bridge.changed', settle));
    // The subscription reaches the server before the event does, because this waits for a call on its connection.
    await bus.call('tokens.introspect', { hash: 'x' });
    other.publish('onefold.event.bridge.changed', Buffer.from(JSON.stringify(payload)));
    expect(await heard).toMatchObject({ organizationId: 'org_1' });
    await transport.close();
  });
});

describe('a process of another version', () => {
  let connection: NatsConnection;
  beforeAll(async () => {
    connection = await connect({ servers: await testNatsUrl() });
  });
  afterAll(() => connection.close());

  /** Serves tickets as another version does, with heads that are written by hand. */
  function serveTickets(announcements: readonly object[], answer: object): MessageSeal {
    const seal = new MessageSeal(busKeys, new Refusals());
    connection.subscribe(`${subject}.${seal.processId}`, {
      callback: (_error, { subject: to, reply = '', data }) => {
        if (seal.open({ subject: to, reply }, data, [Kind.request]) === undefined) return;
        const content = { head: JSON.stringify(answer), body: Buffer.from('{"result":{}}') };
        connection.publish(reply, seal.seal(Kind.answer, { subject: reply }, content));
      },
    });
    for (const announcement of announcements)
      connection.publish(
        'onefold.presence',
        seal.seal(
          Kind.presence,
          { subject: 'onefold.presence' },
          { head: JSON.stringify(announcement) },
        ),
      );
    return seal;
  }

  it.each([
    ['an older', [{ state: 'here', subjects: [subject] }], {}],
    [
      'a newer',
      [
        { state: 'resting', until: 1 },
        { state: 'here', subjects: [subject, 'onefold.v9.x'], load: 3 },
      ],
      { later: { a: 1 } },
    ],
  ])('is found and its answer is read: %s one', async (_which, announcements, inAnswer) => {
    const transport = await NatsTransport.connect(await testNatsUrl(), { keys: busKeys });
    const bus = new MessageBus(transport);
    const headers = { 'content-type': 'application/json' };
    await transport.served(); // it hears announcements from now on
    const seal = serveTickets(announcements, { status: 200, headers, ...inAnswer });
    const reply = await bus.request(
      subject,
      envelopeOf('ticketing_get_ticket', {
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      }),
      undefined,
      new Cancellation(),
    );
    expect([reply.status, reply.headers]).toEqual([200, headers]);
    expect((await collect(reply.body)).toString()).toBe('{"result":{}}');
    const left = { head: JSON.stringify({ state: 'left' }) };
    connection.publish(
      'onefold.presence',
      seal.seal(Kind.presence, { subject: 'onefold.presence' }, left),
    );
    await connection.flush();
    await transport.close();
  });
});
