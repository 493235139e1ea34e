import { type DynamicModule, Module } from '@nestjs/common';
import { EgressPolicy } from '#egress';
import { DeliveriesHandlers } from './deliveries.handlers.js';
import { OrganizationWebhooksHandlers } from './organization-webhooks.handlers.js';

@Module({})
export class OrganizationWebhooksModule {
  /** @param egress refuses addresses that deliveries could not be sent to */
  static with(egress: EgressPolicy): DynamicModule {
    return {
      module: OrganizationWebhooksModule,
      controllers: [OrganizationWebhooksHandlers, DeliveriesHandlers],
      providers: [{ provide: EgressPolicy, useValue: egress }],
    };
  }
}
