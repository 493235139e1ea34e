import { type DynamicModule, Module } from '@nestjs/common';
import { HookCalls, PublicUrl } from './hook-calls.js';
import { IntegrationDeliveriesHandlers } from './integration-deliveries.handlers.js';

@Module({})
export class IntegrationWebhooksModule {
  /** @param publicUrl returns where the API is reached from outside */
  static with(publicUrl: () => string): DynamicModule {
    return {
      module: IntegrationWebhooksModule,
      controllers: [HookCalls, IntegrationDeliveriesHandlers],
      providers: [{ provide: PublicUrl, useValue: { get: publicUrl } }],
    };
  }
}
