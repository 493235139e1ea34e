import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { openConnector } from '#apps/connector';
import { answeredHere } from '#apps/gateway';
import { openManagement } from '#apps/management';
import { BusModule, BusServer, InProcessTransport, MessageBus } from '#bus';
import { operations } from '#contract';
import { Health, Metrics } from '#observe';
import { keyOf, Sealer } from '#secrets';
import { createMigratedDatabase } from '#test/harness';

it('binds a handler to every operation the contract declares as served, and to no other', async () => {
  const database = await createMigratedDatabase();
  const transport = new InProcessTransport();
  const parts = {
    databaseUrl: database.url,
    databasePool: 1,
    sealer: new Sealer(keyOf(randomBytes(32))),
    bus: new MessageBus(transport),
    health: new Health(),
    metrics: new Metrics('spec'),
    publicUrl: () => 'http://localhost:8080',
    egressAllow: [],
  };
  const management = await openManagement(parts);
  const connector = await openConnector(parts);
  @Module({ imports: [BusModule.over(transport), management.module, connector.module] })
  class Services {}
  const strategy = new BusServer(transport);
  const app = await NestFactory.createMicroservice(Services, { strategy, logger: false });
  try {
    await app.listen();
    const served = [...operations.values()].filter(({ state }) => state === 'served');
    expect([...strategy.bound, ...answeredHere].sort()).toEqual(served.map(({ id }) => id).sort());
  } finally {
    await app.close();
    await connector.close();
    await management.close();
    await database.drop();
  }
});
