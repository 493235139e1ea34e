import { type DynamicModule, Module } from '@nestjs/common';
import { GoneWebhooks } from './gone-webhooks.js';
import { HookRequests } from './hook-requests.js';
import { HooksHandlers } from './hooks.handlers.js';
import { IntegrationWebhooksHandlers } from './integration-webhooks.handlers.js';

/** `/v1/hooks` and `/v1/integration-webhooks`, in the connector of every domain. Needs BusModule and ConnectModule. */
@Module({})
export class HooksModule {
  static with(requests: HookRequests): DynamicModule {
    return {
      module: HooksModule,
      controllers: [HooksHandlers, IntegrationWebhooksHandlers, GoneWebhooks],
      providers: [{ provide: HookRequests, useValue: requests }],
    };
  }
}
