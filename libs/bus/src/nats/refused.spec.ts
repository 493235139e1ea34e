import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, operationOf, type Reply } from '#contract';
import { busKeys, maxWaitMs, type NatsServer, startNats, until } from '#test/harness';
import {
  BusServer,
  Cancellation,
  Handles,
  MessageBus,
  NatsTransport,
  type RefusalReason,
  Refusals,
  subjectOf,
} from '../index.js';

let works = 0;
let finished = 0;

@Controller()
class Projects {
  @Handles('ticketing_list_projects')
  async list(): Promise<Reply<'ticketing_list_projects'>> {
    works += 1;
    return { result: [], cursor: '' };
  }

  @Handles('ticketing_create_ticket')
  async create(_call: Call<'ticketing_create_ticket'>): Promise<Reply<'ticketing_create_ticket'>> {
    works += 1;
    await sleep(500);
    finished += 1;
    return { result: {} } as Reply<'ticketing_create_ticket'>;
  }
}

@Module({ controllers: [Projects] })
class ProjectsModule {}

let nats: NatsServer;
let stranger: NatsConnection;
let ours: NatsTransport;
let bus: MessageBus;
let theirs: NatsTransport;
let stop: () => Promise<void>;
const refused: RefusalReason[] = [];
const refusals = () => new Refusals((reason) => refused.push(reason));

beforeAll(async () => {
  nats = await startNats();
  stranger = await connect({ servers: nats.url });
  ours = await NatsTransport.connect(nats.url, { keys: busKeys, refusals: refusals() });
  theirs = await NatsTransport.connect(nats.url, { keys: busKeys, refusals: refusals() });
  await ours.served(); // announces it, as each process does
  bus = new MessageBus(ours);
  const strategy = new BusServer(theirs);
  const app = await NestFactory.createMicroservice(ProjectsModule, { strategy, logger: false });
  await app.listen();
  stop = () => app.close();
});
afterAll(async () => {
  await stop();
  await ours.close();
  await stranger.close();
  await nats.stop();
});

const call = async (
  operation: 'ticketing_list_projects' | 'ticketing_create_ticket',
  cancellation = new Cancellation(),
) => {
  const reply = await bus.request(
    subjectOf(operationOf(operation), undefined),
    {
      operation,
      caller: {
        tokenId: 't',
        scope: 'integration',
        organizationId: 'o',
        memberId: 'm',
        permissions: [],
      },
      path: {},
      query: {},
      meta: [],
      requestId: 'r',
      deadline: Date.now() + maxWaitMs,
      remoteAddress: '127.0.0.1',
      userAgent: 'spec',
    },
    operation === 'ticketing_create_ticket' ? Buffer.from('{"name":"x"}') : undefined,
    cancellation,
  );
  return reply.status;
};

/** Resolves when the server knows the subscriptions: it handles the messages of a connection in their order. */
const subscribed = () => call('ticketing_list_projects');

/** Records what an attacker can listen to while something runs. */
async function overhear(work: () => Promise<unknown>) {
  const heard: { subject: string; reply: string | undefined; data: Uint8Array }[] = [];
  const subscription = stranger.subscribe('>', {
    callback: (_error, { subject, reply, data }) => {
      heard.push({ subject, reply, data: Uint8Array.from(data) });
    },
  });
  await stranger.flush();
  await work();
  await stranger.flush();
  subscription.unsubscribe();
  return heard;
}

const emptyFrame = Buffer.from([0, 0, 0, 1, 0, 0x7b]);
const messages: [string, Uint8Array][] = [
  ['an empty message', new Uint8Array()],
  ['a letter', Buffer.from('x')],
  ['JSON', Buffer.from('{"organizationId":"o"}')],
  ['a frame without a seal', emptyFrame],
  ['zeros', new Uint8Array(200)],
  ['an unknown version', Buffer.alloc(200, 9)],
  ['half a megabyte', Buffer.alloc(500_000, 1)],
];

describe('a message of nobody', () => {
  it.each(messages)('does not end a subscription: %s', async (_what, data) => {
    const heard = await overhear(() => call('ticketing_list_projects'));
    const subjects = new Set(heard.map(({ subject }) => subject));
    for (const name of ['records.changed', 'bridge.changed', 'else'])
      subjects.add(`onefold.event.${name}`);
    subjects.add('onefold.presence');
    const events: unknown[] = [];
    const stopHearing = [
      bus.subscribe('records.changed', (event) => events.push(event)),
      bus.subscribe('bridge.changed', (event) => events.push(event)),
    ];
    await subscribed();
    const before = refused.length;
    for (const subject of subjects) {
      stranger.publish(subject, data);
      stranger.publish(subject, data, { reply: 'nobody' });
    }
    await stranger.flush();
    await until(() => refused.length > before);
    expect(events).toEqual([]);
    new MessageBus(theirs).publish('records.changed', { changes: ['o 1'] });
    new MessageBus(theirs).publish('bridge.changed', { organizationId: 'o' });
    await until(() => events.length === 2);
    expect(await call('ticketing_list_projects')).toBe(200);
    expect(() => ours.checkReady()).not.toThrow();
    expect(() => theirs.checkReady()).not.toThrow();
    for (const one of stopHearing) one();
  });

  it('does not end a subscription with headers that are none', async () => {
    const heard = await overhear(() => call('ticketing_list_projects'));
    const { port } = new URL(nats.url);
    const socket = createConnection(Number(port), '127.0.0.1');
    socket.resume().write('CONNECT {"headers":true,"verbose":false}\r\n');
    for (const { subject } of heard)
      for (const text of [
        'NATS/1.0 503\r\n\r\n',
        'x',
        'NATS/1.0\r\n:\r\n\r\n',
        'NATS/1.0 y\r\na\r\n',
      ])
        socket.write(`HPUB ${subject} nobody ${text.length} ${text.length}\r\n${text}\r\n`);
    await sleep(200);
    socket.destroy();
    expect(await call('ticketing_list_projects')).toBe(200);
  });

  it('gets no answer', async () => {
    const heard = await overhear(() => call('ticketing_list_projects'));
    const subject = heard.find(({ subject }) => subject.startsWith('onefold.v1.'))?.subject ?? '';
    expect(subject).not.toBe('');
    await expect(stranger.request(subject, Buffer.from('{}'), { timeout: 300 })).rejects.toThrow(
      /timeout/i,
    );
  });
});

describe('a signed event of another shape', () => {
  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['wrong types', '{"changes":[1]}'],
    ['ids that are no list', '{"changes":"o 1"}'],
  ])('is refused and ends nothing: %s', async (_what, text) => {
    const events: unknown[] = [];
    const stopHearing = bus.subscribe('records.changed', (event) => events.push(event));
    await subscribed();
    theirs.publish('onefold.event.records.changed', Buffer.from(text));
    new MessageBus(theirs).publish('records.changed', { changes: ['o 1'] });
    await until(() => events.length === 1);
    expect(refused).toContain('failed');
    stopHearing();
  });

  it('goes on after a handler that throws', async () => {
    let heard = 0;
    const stopHearing = bus.subscribe('records.changed', () => {
      heard += 1;
      throw new Error('a bug');
    });
    await subscribed();
    for (let at = 0; at < 3; at += 1)
      new MessageBus(theirs).publish('records.changed', { changes: ['o 1'] });
    await until(() => heard === 3);
    stopHearing();
  });
});

describe('a replayed message', () => {
  it('changes nothing, whoever it is sent to, and its answer is not taken twice', async () => {
    const heard = await overhear(() => call('ticketing_create_ticket'));
    const done = works;
    const before = refused.length;
    for (const { subject, reply, data } of heard) {
      stranger.publish(subject, data, reply === undefined ? {} : { reply });
      stranger.publish(subject, data, { reply: 'stranger.inbox' });
      stranger.publish('onefold.event.records.changed', data);
    }
    await stranger.flush();
    await until(() => refused.length > before);
    expect(await call('ticketing_list_projects')).toBe(200);
    expect(works).toBe(done + 1);
  });

  it('is not taken by another process that serves the same', async () => {
    const other = await NatsTransport.connect(nats.url, { keys: busKeys, refusals: refusals() });
    const strategy = new BusServer(other);
    const app = await NestFactory.createMicroservice(ProjectsModule, { strategy, logger: false });
    const announced = await overhear(async () => {
      await app.listen();
      for (let at = 0; at < 20; at += 1) await call('ticketing_list_projects');
    });
    const asked = announced.filter(({ subject }) => subject.startsWith('onefold.v1.'));
    const subjects = new Set(asked.map(({ subject }) => subject));
    expect(subjects.size).toBe(2); // both get the request
    const done = works;
    for (const { data, reply } of asked)
      for (const subject of subjects)
        stranger.publish(subject, data, reply === undefined ? {} : { reply });
    await stranger.flush();
    await sleep(100);
    expect(works).toBe(done);
    await app.close();
  });
});

describe('an answer that comes late', () => {
  it('is not refused, because nobody forged it', async () => {
    const before = [...refused];
    const [began, ended] = [works, finished];
    const answers = await overhear(async () => {
      const cancellation = new Cancellation();
      const given = call('ticketing_create_ticket', cancellation);
      await until(() => works > began);
      cancellation.cancel(new Error('the client has gone'));
      await expect(given).rejects.toThrow('the client has gone');
      await until(() => finished > ended);
      expect(await call('ticketing_list_projects')).toBe(200); // its answer comes behind the late one
    });
    const heard = answers.filter(({ subject }) => subject.startsWith('onefold.inbox.'));
    expect(heard.length).toBeGreaterThanOrEqual(2);
    expect(refused).toEqual(before);
  });
});

describe('a forged answer', () => {
  it('is ignored, and the true one is taken', async () => {
    const rogue = stranger.subscribe('onefold.v1.>', {
      queue: 'ticketing',
      callback: (_error, message) => {
        for (const data of ['', 'x', '{"status":200,"headers":{}}', '\0'.repeat(100)])
          message.respond(Buffer.from(data));
        // A forged notice that nobody listens looks like a real one.
        message.respond('', { headers: headers(503, 'No Responders') });
      },
    });
    await stranger.flush();
    expect(await call('ticketing_create_ticket')).toBe(
      operationOf('ticketing_create_ticket').response.status,
    );
    rogue.unsubscribe();
  });

  it('is not taken for another call', async () => {
    const answers = await overhear(() => call('ticketing_list_projects'));
    const answer = answers.find(({ subject }) => subject.startsWith('onefold.inbox.'));
    const rogue = stranger.subscribe('onefold.v1.>', {
      callback: (_error, message) => {
        message.respond(answer?.data ?? new Uint8Array());
      },
    });
    await stranger.flush();
    const before = works;
    expect(await call('ticketing_create_ticket')).toBe(
      operationOf('ticketing_create_ticket').response.status,
    );
    expect(works).toBe(before + 1);
    rogue.unsubscribe();
  });
});

describe('a subscription that the server ends', () => {
  it('makes the process not ready', async () => {
    const strict = await startNats(
      'authorization: { users: [{ user: u, password: p, permissions: { subscribe: { deny: "onefold.event.>" } } }] }',
    );
    const transport = await NatsTransport.connect(strict.url.replace('//', '//u:p@'), {
      keys: busKeys,
    });
    expect(() => transport.checkReady()).not.toThrow();
    new MessageBus(transport).subscribe('records.changed', () => undefined);
    await until(() => {
      try {
        transport.checkReady();
        return false;
      } catch (error) {
        return String(error).includes('onefold.event.records.changed');
      }
    });
    await transport.close();
    await strict.stop();
  });
});

describe('a subject to which the server lets a process not publish', () => {
  it('makes it not ready and is named, in one check after the other', async () => {
    const strict = await startNats(
      'authorization: { users: [{ user: u, password: p, permissions: { publish: { deny: "onefold.bridge.>" } } }] }',
    );
    const transport = await NatsTransport.connect(strict.url.replace('//', '//u:p@'), {
      keys: busKeys,
      publishes: ['onefold.process.*', 'onefold.bridge.*.*'],
    });
    await transport.served();
    for (let check = 0; check < 2; check += 1)
      await until(() => {
        try {
          transport.checkReady();
          return false;
        } catch (error) {
          return /publish to onefold\.bridge\..*nats-permissions/.test(String(error));
        }
      });
    await transport.close();
    await strict.stop();
  });
});
