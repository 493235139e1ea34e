import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { operationOf, type Call, type Reply } from '#contract';
import { busKeys, startNats } from '#test/harness';
import {
  BusServer,
  Cancellation,
  Handles,
  MessageBus,
  NatsTransport,
  subjectOf,
} from '../index.js';

@Controller()
class Slow {
  @Handles('ticketing_list_projects')
  async projects(
    _call: Call<'ticketing_list_projects'>,
  ): Promise<Reply<'ticketing_list_projects'>> {
    await sleep(20);
    return { result: [], cursor: '' };
  }
}

@Module({ controllers: [Slow] })
class SlowModule {}

it('loses no call when one of two servers ends under load', async () => {
  const nats = await startNats(); // a separate server, because another spec may serve the same operation
  const { url } = nats;
  const client = await NatsTransport.connect(url, { keys: busKeys });
  const bus = new MessageBus(client);
  const [ending, staying] = await Promise.all([serve(url), serve(url)]);
  await sleep(50);
  let ended = false;
  const statuses = new Set<number>();
  const caller = async () => {
    while (!ended) statuses.add(await call(bus));
  };
  const callers = Promise.all(Array.from({ length: 50 }, caller));
  await sleep(100);
  await ending.close();
  await sleep(100);
  ended = true;
  await callers;
  expect([...statuses]).toEqual([200]);
  await staying.close();
  await client.close();
  await nats.stop();
});

async function serve(url: string) {
  const strategy = new BusServer(await NatsTransport.connect(url, { keys: busKeys }));
  const app = await NestFactory.createMicroservice(SlowModule, { strategy, logger: false });
  await app.listen();
  return app;
}

const unknownCaller = { tokenId: 't', organizationId: 'o', memberId: 'm', permissions: [] };

async function call(bus: MessageBus): Promise<number> {
  const operation = operationOf('ticketing_list_projects');
  const envelope = {
    operation: operation.id,
    caller: { ...unknownCaller, scope: 'integration' as const },
    path: {},
    query: {},
    meta: [],
    requestId: 'drain',
    deadline: Date.now() + 60_000,
    remoteAddress: '127.0.0.1',
    userAgent: 'spec',
  };
  const reply = bus.request(
    subjectOf(operation, undefined),
    envelope,
    undefined,
    new Cancellation(),
  );
  return reply.then(
    ({ status }) => status,
    (error: { status?: number }) => error.status ?? 500,
  );
}
