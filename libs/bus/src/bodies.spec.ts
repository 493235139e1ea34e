import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { type Call, operationOf, type Reply } from '#contract';
import { keyOf, SealedBodies } from '#secrets';
import {
  BusServer,
  collect,
  type Envelope,
  Handles,
  InProcessTransport,
  MessageBus,
  subjectOf,
} from './index.js';

@Controller()
class Echo {
  @Handles('credentials_create')
  create({ body }: Call<'credentials_create'>): Reply<'credentials_create'> {
    return { result: body } as unknown as Reply<'credentials_create'>;
  }
}

@Module({ controllers: [Echo] })
class EchoModule {}

/** Keeps what passes, as somebody who listens would. */
class Overheard extends InProcessTransport {
  readonly bytes: Buffer[] = [];

  override async request(
    ...[subject, message, options]: Parameters<InProcessTransport['request']>
  ) {
    this.bytes.push(Buffer.from(message.head), await collect(message.body));
    return await super.request(subject, message, options);
  }
}

describe('a body with secrets', () => {
  const secret = 'hunter2-hunter2';
  const body = Buffer.from(JSON.stringify({ config: { type: 'token', secret } }));
  const envelope: Envelope = {
    operation: 'credentials_create',
    caller: null,
    path: {},
    query: {},
    meta: [],
    requestId: 'r1',
    deadline: Date.now() + 5_000,
    remoteAddress: '127.0.0.1',
    userAgent: 'spec',
  };
  const subject = subjectOf(operationOf('credentials_create'), undefined);
  const key = keyOf(randomBytes(32));

  async function send(served: SealedBodies) {
    const transport = new Overheard();
    const strategy = new BusServer(transport, served);
    const app = await NestFactory.createMicroservice(EchoModule, { strategy, logger: false });
    await app.listen();
    const bus = new MessageBus(transport, new SealedBodies(key));
    const reply = await bus.request(subject, envelope, body, new AbortController().signal);
    const answer = (await collect(reply.body)).toString();
    await app.close();
    return {
      status: reply.status,
      answer,
      overheard: Buffer.concat(transport.bytes).toString('latin1'),
    };
  }

  it('reaches its handler, and nobody who listens', async () => {
    const { status, answer, overheard } = await send(new SealedBodies(key));
    expect(status).toBe(200);
    expect(JSON.parse(answer)).toEqual({ result: { config: { type: 'token', secret } } });
    expect(overheard).not.toContain(secret);
  });

  it('does not open under another key', async () => {
    const { status, answer } = await send(new SealedBodies(keyOf(randomBytes(32))));
    expect(status).toBe(500);
    expect(answer).not.toContain(secret);
  });
});
