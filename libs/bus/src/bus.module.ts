import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Bodies } from './calls/bodies.js';
import { Bus } from './bus.js';
import { MessageBus } from './calls/message-bus.js';
import type { Transport } from './transport.js';

/** Provides the bus to every module. The transport is created before the application, so that modules do not depend on it. */
@Global()
@Module({})
export class BusModule {
  static over(transport: Transport, bodies?: Bodies): DynamicModule {
    return {
      module: BusModule,
      providers: [{ provide: Bus, useValue: new MessageBus(transport, bodies) }],
      exports: [Bus],
    };
  }
}
