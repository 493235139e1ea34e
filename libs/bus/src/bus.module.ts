import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Bodies } from './bodies.js';
import { Bus } from './bus.js';
import { MessageBus } from './message-bus.js';
import type { Transport } from './transport.js';

/** Gives every module the bus. The transport is made before the application, so that modules need not know which it is. */
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
